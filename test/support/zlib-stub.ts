/** Stands in for `node:zlib` where there is none: just-bash's browser file imports it for `gzip` and `gunzip`. */

/** The constants that are read while the module loads. */
export const constants: Record<string, number> = { Z_DEFAULT_COMPRESSION: -1, Z_BEST_SPEED: 1, Z_BEST_COMPRESSION: 9 };

/** Fails with the reason; the shell shows it as the command's error. */
export function gzipSync(): never {
  throw new Error("gzip is not available outside Node");
}

/** Fails with the reason; the shell shows it as the command's error. */
export function gunzipSync(): never {
  throw new Error("gunzip is not available outside Node");
}
