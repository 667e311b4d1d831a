/** Paths as a shell resolves them, without looking at a disk and without ever throwing. */

/** Resolves `.`, `..` and repeated slashes; `..` stops at the root. */
export function normalizePath(path: string, folder: string): string {
  const whole = path.startsWith("/") ? path : `${folder}/${path}`;
  // Most paths have nothing to resolve.
  if (folder !== "/" && !path.includes("/") && path !== "" && path !== "." && path !== "..") return whole;
  if (!/\/(\.\.?)?(\/|$)/.test(whole)) return whole;
  const parts: string[] = [];
  for (const part of whole.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return `/${parts.join("/")}`;
}
