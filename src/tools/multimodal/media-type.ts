/** The kinds of media: what their first bytes, their names and their media types say. */

/** What a medium is for. */
export type MediaKind = "image" | "audio" | "video";

/** `\0` and the like are bytes; each mark is a text at a place. */
type Mark = readonly [at: number, text: string];

interface MediaForm {
  mediaType: string;
  /** The usual extension first. */
  extensions: readonly string[];
  /** Any of these combinations tells it. Empty: no bytes tell it. */
  marks: readonly (readonly Mark[])[];
}

function form(mediaType: string, extensions: string, ...marks: (readonly Mark[])[]): MediaForm {
  return { mediaType, extensions: extensions.split(" "), marks };
}

/** The more special before the more general. */
const forms: readonly MediaForm[] = [
  form("image/png", "png", [[0, "\x89PNG\r\n\x1a\n"]]),
  form("image/jpeg", "jpg jpeg", [[0, "\xff\xd8\xff"]]),
  form("image/gif", "gif", [[0, "GIF87a"]], [[0, "GIF89a"]]),
  form("image/webp", "webp", [
    [0, "RIFF"],
    [8, "WEBP"],
  ]),
  form("image/bmp", "bmp", [
    [0, "BM"],
    [6, "\0\0\0\0"],
  ]),
  form("image/tiff", "tiff tif", [[0, "II*\0"]], [[0, "MM\0*"]]),
  form("image/heic", "heic heif", [[4, "ftypheic"]], [[4, "ftypheix"]], [[4, "ftypmif1"]]),
  form("image/avif", "avif", [[4, "ftypavif"]]),
  form(
    "audio/mpeg",
    "mp3",
    ...["ID3\x02", "ID3\x03", "ID3\x04", "\xff\xfb", "\xff\xfa", "\xff\xf3", "\xff\xf2"].map((text): Mark[] => [
      [0, text],
    ]),
  ),
  form("audio/wav", "wav", [
    [0, "RIFF"],
    [8, "WAVE"],
  ]),
  form("audio/flac", "flac", [
    [0, "fLaC"],
    [5, "\0\0\x22"],
  ]),
  form("audio/ogg", "ogg opus oga", [[0, "OggS\0"]]),
  form("audio/aac", "aac", [[0, "\xff\xf1"]], [[0, "\xff\xf9"]]),
  form(
    "audio/aiff",
    "aiff aif",
    [
      [0, "FORM"],
      [8, "AIFF"],
    ],
    [
      [0, "FORM"],
      [8, "AIFC"],
    ],
  ),
  form("audio/mp4", "m4a", [[4, "ftypM4A"]]),
  form("audio/amr", "amr", [[0, "#!AMR\n"]], [[0, "#!AMR-WB\n"]]),
  form("audio/pcm", "pcm"),
  form("video/quicktime", "mov", [[4, "ftypqt  "]]),
  form("video/mp4", "mp4 m4v", [[4, "ftyp"]]),
  form("video/webm", "webm mkv", [[0, "\x1a\x45\xdf\xa3"]]),
  form("video/x-msvideo", "avi", [
    [0, "RIFF"],
    [8, "AVI "],
  ]),
  form("video/mpeg", "mpeg mpg", [[0, "\0\0\x01\xba"]], [[0, "\0\0\x01\xb3"]]),
  form("video/x-ms-wmv", "wmv", [[0, "\x30\x26\xb2\x75\x8e\x66\xcf\x11"]]),
  form("video/x-flv", "flv", [[0, "FLV\x01"]]),
];

/** Bytes from the start that {@link mediaTypeOf} looks at. */
export const MEDIA_HEAD = 32;

/** Tells the media type by the first bytes; undefined for anything that is no image, sound or video. */
export function mediaTypeOf(head: Uint8Array): string | undefined {
  return forms.find(({ marks }) => marks.some((mark) => mark.every(([at, text]) => has(head, at, text))))?.mediaType;
}

/** Types whose files always begin in the ways above. */
const certain: readonly string[] = ["image/png", "image/jpeg", "image/gif", "image/webp"];

/** Tells whether bytes of this type would have told it themselves: whoever says it of others is wrong. */
export function tellsItself(mediaType: string): boolean {
  return certain.includes(mediaType);
}

/** Tells the media type by the extension of a path or of the path of a URL. */
export function mediaTypeByName(name: string): string | undefined {
  const extension = /\.([a-z0-9]{2,5})(?:[?#].*)?$/is.exec(name)?.[1]?.toLowerCase() ?? "";
  return forms.find(({ extensions }) => extensions.includes(extension))?.mediaType;
}

/** Gives the usual extension of a media type, without the dot. */
export function extensionFor(mediaType: string): string {
  return forms.find((one) => one.mediaType === mediaType)?.extensions[0] ?? "bin";
}

/** Tells whether a media type can serve as a kind; a video has a sound, so it serves as that too. */
export function serves(mediaType: string, kind: MediaKind): boolean {
  return mediaType.startsWith(`${kind}/`) || (kind === "audio" && mediaType.startsWith("video/"));
}

function has(head: Uint8Array, start: number, text: string): boolean {
  for (let at = 0; at < text.length; at += 1) if (head[start + at] !== text.charCodeAt(at)) return false;
  return true;
}
