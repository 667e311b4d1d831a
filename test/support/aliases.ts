/** What imports mean outside Node: the package's own names are its sources, and `node:zlib` is a stand-in. */
import { root, sourceAliases } from "./sources.ts";

/** An alias as Vite takes it. */
export interface Alias {
  find: RegExp;
  replacement: string;
}

/** Makes the aliases of everything that runs in a page or a worker. */
export function webAliases(): Alias[] {
  return [...sourceAliases(), { find: /^node:zlib$/, replacement: `${root}test/support/zlib-stub.ts` }];
}
