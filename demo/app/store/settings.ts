/** The few things that are remembered from one visit to the next. The key is not one of them. */

/** How the page looks. */
export type Theme = "system" | "light" | "dark";

/** Where a model is. */
export interface Endpoint {
  baseUrl: string;
  model: string;
  /** Kept in memory only. */
  apiKey: string;
}

const THEME = "holdall-playground-theme";
const ENDPOINT = "holdall-playground-endpoint";

/** Reads the look that was chosen. */
export function readTheme(): Theme {
  const stored = read(THEME);
  return stored === "light" || stored === "dark" ? stored : "system";
}

/** Remembers the look and puts it on. */
export function applyTheme(theme: Theme): void {
  write(THEME, theme);
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

/** Reads the address and the model that were used; never a key. */
export function readEndpoint(): Endpoint {
  const empty: Endpoint = { baseUrl: "", model: "", apiKey: "" };
  try {
    const stored: unknown = JSON.parse(read(ENDPOINT) ?? "null");
    if (typeof stored !== "object" || stored === null || !("baseUrl" in stored) || !("model" in stored)) return empty;
    return { ...empty, baseUrl: String(stored.baseUrl), model: String(stored.model) };
  } catch {
    return empty;
  }
}

/** Remembers the address and the model; never the key. */
export function rememberEndpoint({ baseUrl, model }: Endpoint): void {
  write(ENDPOINT, JSON.stringify({ baseUrl, model }));
}

/** A browser may refuse to store anything; then nothing is remembered. */
function read(key: string): string | undefined {
  try {
    return localStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

function write(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // See above.
  }
}
