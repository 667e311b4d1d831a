/** Looks for what hinders people who read with difficulty or not with their eyes. */
import type { Page } from "playwright";

/** Finds visible texts with less than 4.5 : 1 between them and what is behind (3 : 1 for large ones). */
export function findWeakContrast(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    type Colour = [red: number, green: number, blue: number, alpha: number];
    const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
    if (canvas === null) throw new Error("There is no canvas to read colours with.");
    const read = (colour: string): Colour => {
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = colour;
      canvas.fillRect(0, 0, 1, 1);
      const [red = 0, green = 0, blue = 0, alpha = 0] = canvas.getImageData(0, 0, 1, 1).data;
      return [red, green, blue, alpha / 255];
    };
    const over = ([r, g, b, a]: Colour, [R, G, B]: Colour): Colour => [
      r * a + R * (1 - a),
      g * a + G * (1 - a),
      b * a + B * (1 - a),
      1,
    ];
    const behind = (element: Element | null): Colour => {
      if (element === null) return [255, 255, 255, 1];
      const own = read(getComputedStyle(element).backgroundColor);
      return own[3] === 1 ? own : over(own, behind(element.parentElement));
    };
    const light = ([r, g, b]: Colour): number => {
      const [red = 0, green = 0, blue = 0] = [r, g, b].map((part) =>
        part <= 10.31 ? part / 3294.6 : ((part / 255 + 0.055) / 1.055) ** 2.4,
      );
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const weak = new Set<string>();
    const modal = document.querySelector("dialog[open]");
    const walker = document.createTreeWalker(modal ?? document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const element = node.parentElement;
      const text = node.textContent?.trim() ?? "";
      if (
        element === null ||
        text === "" ||
        !element.checkVisibility() ||
        element.closest(".unseen, :disabled, script, option")
      )
        continue;
      const style = getComputedStyle(element);
      const back = behind(element);
      const [one, other] = [light(over(read(style.color), back)), light(back)].sort((a, b) => b - a);
      const ratio = ((one ?? 0) + 0.05) / ((other ?? 0) + 0.05);
      const size = Number.parseFloat(style.fontSize);
      const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
      if (ratio < (isLarge ? 3 : 4.5))
        weak.add(`${ratio.toFixed(2)} ${element.tagName}.${element.className}: ${text.slice(0, 30)}`);
    }
    return [...weak];
  });
}

/** The roles of what people act on, each of which needs a name. */
const ACTIVE = [
  "button",
  "checkbox",
  "combobox",
  "dialog",
  "link",
  "searchbox",
  "spinbutton",
  "tab",
  "tabpanel",
  "textbox",
  "tree",
  "treeitem",
];

/** Finds what a screen reader could not name. */
export async function findUnnamed(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send("Accessibility.getFullAXTree");
  await session.detach();
  return nodes
    .filter(
      ({ ignored, role, name }) =>
        !ignored && ACTIVE.includes(String(role?.value)) && !String(name?.value ?? "").trim(),
    )
    .map(({ role }) => `${String(role?.value)} without a name`);
}
