/** Writes a ZIP archive: deflated where that helps, names in UTF-8. At most 65,535 files and 4 GiB. */

const LOCAL_HEADER = 0x04034b50;
const CENTRAL_HEADER = 0x02014b50;
const END_HEADER = 0x06054b50;
/** The version that knows folders and deflate. */
const VERSION = 20;
const UTF8_NAMES = 0x0800;
const STORED = 0;
const DEFLATED = 8;

interface Member {
  name: Uint8Array;
  method: number;
  checksum: number;
  packed: Uint8Array;
  size: number;
  /** Where its local header begins. */
  offset: number;
}

/**
 * Packs files.
 *
 * @param files Bytes by path; paths are relative.
 * @param date The time that all files get.
 */
export async function zip(files: ReadonlyMap<string, Uint8Array>, date: Date): Promise<Blob> {
  const encoder = new TextEncoder();
  const time = dosTime(date);
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const members: Member[] = [];
  let offset = 0;
  const put = (bytes: Uint8Array): void => {
    parts.push(new Uint8Array(bytes));
    offset += bytes.length;
  };
  for (const [path, bytes] of files) {
    const deflated = await deflate(bytes);
    const [method, packed] = deflated.length < bytes.length ? [DEFLATED, deflated] : [STORED, bytes];
    const member = { name: encoder.encode(path), method, checksum: crc32(bytes), packed, size: bytes.length, offset };
    members.push(member);
    put(header([LOCAL_HEADER, 4], [VERSION, 2], ...facts(member, time)));
    put(member.name);
    put(packed);
  }
  const directory = offset;
  for (const member of members) {
    put(
      header(
        [CENTRAL_HEADER, 4],
        [VERSION, 2],
        [VERSION, 2],
        ...facts(member, time),
        ...[0, 0, 0].map(short),
        [0, 4],
        [member.offset, 4],
      ),
    );
    put(member.name);
  }
  const { length } = members;
  put(
    header([END_HEADER, 4], [0, 2], [0, 2], [length, 2], [length, 2], [offset - directory, 4], [directory, 4], [0, 2]),
  );
  return new Blob(parts, { type: "application/zip" });
}

/** A number and how many bytes it takes. */
type Field = readonly [value: number, bytes: 2 | 4];

/** What both headers of a member tell. */
function facts({ name, method, checksum, packed, size }: Member, time: number): Field[] {
  return [
    [UTF8_NAMES, 2],
    [method, 2],
    [time, 4],
    [checksum, 4],
    [packed.length, 4],
    [size, 4],
    [name.length, 2],
    [0, 2],
  ];
}

function short(value: number): Field {
  return [value, 2];
}

function header(...fields: Field[]): Uint8Array {
  const bytes = new Uint8Array(fields.reduce((sum, [, size]) => sum + size, 0));
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const [value, size] of fields) {
    if (size === 2) view.setUint16(at, value, true);
    else view.setUint32(at, value, true);
    at += size;
  }
  return bytes;
}

async function deflate(bytes: Uint8Array): Promise<Uint8Array> {
  const stream = new Blob([new Uint8Array(bytes)]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** The date above the time, as DOS kept them: two seconds are the smallest step, 1980 is the first year. */
function dosTime(date: Date): number {
  const day = ((date.getFullYear() - 1980) << 9) | ((date.getMonth() + 1) << 5) | date.getDate();
  return ((day << 16) | (date.getHours() << 11) | (date.getMinutes() << 5) | (date.getSeconds() >> 1)) >>> 0;
}

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}
