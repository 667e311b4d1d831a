/** Tells versions of files apart by what is in them: the times of a browser are too coarse, in WebKit a whole second. */

/** A file that was looked at: its version, and its bytes where they had to be read for that. */
export interface Versioned {
  version: string;
  /** All bytes of the file. */
  bytes?: Uint8Array<ArrayBuffer>;
}

/** Versions of the files of one tree. */
export interface Versions {
  /**
   * Gives the version of a file, reading it unless it is known.
   *
   * @param isSure Whether it is read in any case: another tab, or another program, may write at the very time that a
   * clock which went back tells again. Defaults to false.
   */
  of(path: string, file: File, isSure?: boolean): Promise<Versioned>;
  /** Forgets the version of a file that is changed: a clock that goes back may give the new content the old time. */
  forget(path: string): void;
}

/** Files up to this size are read to know their version: 4 MiB. */
export const MAX_WHOLE: number = 4 << 20;

/** Where larger files are looked into, and how far. */
const SAMPLES = 16;
const SAMPLE_BYTES = 16 << 10;

/** Milliseconds for which a file may change again without a change of its time; in WebKit, times are whole seconds. */
const FINE = 50;
const COARSE = 2500;

/** Files whose versions are kept; over it, all are forgotten. */
const MAX_KEPT = 20_000;

interface Known {
  size: number;
  modifiedAt: number;
  version: string;
}

/** Makes the versions of one tree. */
export function createVersions(clock: () => number): Versions {
  const known = new Map<string, Known>();
  return {
    async of(path, file, isSure = false) {
      const { size, lastModified: modifiedAt } = file;
      const kept = isSure ? undefined : known.get(path);
      if (kept !== undefined && kept.size === size && kept.modifiedAt === modifiedAt) return { version: kept.version };
      const age = clock() - modifiedAt;
      const versioned = await readVersion(file);
      // What changed a moment ago may change again within the same tick of its clock.
      if (age > (modifiedAt % 1000 === 0 ? COARSE : FINE)) {
        if (known.size >= MAX_KEPT) known.clear();
        known.set(path, { size, modifiedAt, version: versioned.version });
      }
      return versioned;
    },
    forget: (path) => void known.delete(path),
  };
}

/** Gives the version of a file that consists of these bytes. */
export async function versionOfBytes(bytes: Uint8Array): Promise<string> {
  return `${bytes.length.toString(36)}.${await digest(bytes)}`;
}

async function readVersion(file: File): Promise<Versioned> {
  if (file.size <= MAX_WHOLE) {
    const bytes = new Uint8Array(await file.arrayBuffer());
    return { bytes, version: await versionOfBytes(bytes) };
  }
  const step = (file.size - SAMPLE_BYTES) / (SAMPLES - 1);
  const samples = Array.from({ length: SAMPLES }, (_, index) => {
    const from = Math.floor(index * step);
    return file.slice(from, from + SAMPLE_BYTES);
  });
  const bytes = new Uint8Array(await new Blob(samples).arrayBuffer());
  return { version: `${file.size.toString(36)}.${file.lastModified.toString(36)}.${await digest(bytes)}` };
}

async function digest(bytes: Uint8Array): Promise<string> {
  const own: Uint8Array<ArrayBuffer> = isPlain(bytes) ? bytes : new Uint8Array(bytes);
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", own));
  return Array.from(hash.subarray(0, 16), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function isPlain(bytes: Uint8Array): bytes is Uint8Array<ArrayBuffer> {
  return bytes.buffer instanceof ArrayBuffer;
}
