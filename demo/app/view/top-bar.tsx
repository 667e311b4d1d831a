/** The bar on top: what this is, what is open, and how it looks. */
import { applyTheme, type Theme } from "../store/settings.ts";
import { useStore } from "../store/use-store.ts";
import { Icon, type IconName } from "./icon.tsx";

const themes: readonly { theme: Theme; icon: IconName; label: string }[] = [
  { theme: "system", icon: "system", label: "as the system" },
  { theme: "light", icon: "sun", label: "light" },
  { theme: "dark", icon: "moon", label: "dark" },
];

/** Draws the bar. */
export function TopBar() {
  return (
    <header class="bar">
      <h1 class="brand">
        <Icon name="bag" />
        Holdall <span>playground</span>
      </h1>
      <p class="promise">
        <Icon name="lock" />
        Files, tools and shell stay in this tab.
      </p>
      <ThemeButton />
    </header>
  );
}

function ThemeButton() {
  const { theme } = useStore();
  const index = Math.max(
    0,
    themes.findIndex((one) => one.theme === theme.value),
  );
  const current = themes[index];
  const next = themes[(index + 1) % themes.length];
  if (current === undefined || next === undefined) return null;
  const change = (): void => {
    theme.value = next.theme;
    applyTheme(next.theme);
  };
  return (
    <button type="button" class="plain-button" onClick={change} title={`Change to ${next.label}`}>
      <Icon name={current.icon} />
      <span class="unseen">Colours: {current.label}</span>
    </button>
  );
}
