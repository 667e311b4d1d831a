/** What the multimodal tools tell the permission engine: where they send things, and rules over what they send. */

import { compileGlob } from "../../base/glob.ts";
import { parentPath } from "../../base/path.ts";
import type { PermissionRule } from "../../message/permission-data.ts";
import type { ToolOpinion } from "../../permission/subject.ts";
import { allowFolder, matchPath, realPathOf } from "../path-rules.ts";
import { toPath } from "../paths.ts";
import { readSource, showSource } from "./media-source.ts";
import type { Provider } from "./provider.ts";

/** The permission seam of a tool that sends something to a provider. */
export interface SendPermission<I> {
  checkPermissions(input: I): ToolOpinion;
  matchRule(content: string, input: I, rule: PermissionRule): Promise<boolean>;
  generateSuggestions(input: I): PermissionRule[];
}

/**
 * Makes the seam. A call costs money and sends something away, so it is asked about unless a rule or the mode allows
 * it. The content of a rule is a glob over paths, or over URLs where it begins with `http`: a rule that allows must
 * match every medium of a call, one that denies or asks any of them.
 *
 * @param tool The name of the tool.
 * @param provider Where things are sent, and where paths lead.
 * @param sourcesOf Gives the media of an input, as the model wrote them.
 */
export function sendPermission<I>(
  tool: string,
  provider: Provider,
  sourcesOf: (input: I) => string[],
): SendPermission<I> {
  return {
    checkPermissions(input) {
      const sources = sourcesOf(input);
      const what = sources.length === 0 ? "its text" : `its text and ${sources.slice(0, 4).map(showSource).join(", ")}`;
      const more = sources.length > 4 ? ` and ${sources.length - 4} more` : "";
      return {
        behavior: "ask",
        reason: "sends to a provider",
        message: `${tool} sends ${what}${more} to ${provider.host}.`,
      };
    },
    async matchRule(content, input, rule) {
      const sources = sourcesOf(input);
      const matches = await Promise.all(sources.map((source) => matchSource(provider, content, source, rule)));
      return rule.behavior === "allow" ? matches.length > 0 && matches.every(Boolean) : matches.some(Boolean);
    },
    generateSuggestions(input) {
      const rules = sourcesOf(input).map((source) => suggest(tool, provider, source));
      const [first] = rules;
      const one = first !== undefined && rules.every(({ content }) => content === first.content);
      return [one ? first : { tool, behavior: "allow", source: "suggested" }];
    },
  };
}

async function matchSource(provider: Provider, glob: string, text: string, rule: PermissionRule): Promise<boolean> {
  const source = readSource(text);
  if (source.type === "inline") return false;
  if (source.type === "url") {
    // A glob over paths such as `**` shall not let every address pass.
    if (rule.behavior === "allow") return /^https?:/.test(glob) && compileGlob(glob)(source.url);
    return compileGlob(glob, { ignoreCase: true })(source.url);
  }
  const { backend } = provider;
  if (backend === undefined || /^https?:/i.test(glob)) return false;
  return matchPath(backend, rule, glob, await realPathOf(backend, source.path));
}

function suggest(tool: string, { backend }: Provider, text: string): PermissionRule {
  const source = readSource(text);
  if (source.type === "path" && backend !== undefined) {
    return allowFolder(tool, parentPath(toPath(backend, source.path)));
  }
  if (source.type !== "url") return { tool, behavior: "allow", source: "suggested" };
  // In the origin of a URL no character has a meaning in a glob but the brackets of an IPv6 address.
  const origin = new URL(source.url).origin.replace(/[[\]]/g, "\\$&");
  return { tool, content: `${origin}/**`, behavior: "allow", source: "suggested" };
}
