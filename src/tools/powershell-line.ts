/** Makes the command line that hands a script to PowerShell. */

import { toBase64 } from "../base/bytes.ts";

/** The longest command line that Windows starts a program with, in UTF-16 units, less what a shell in between adds. */
const MAX_LINE_LENGTH = 32_000;

/**
 * Makes the line for a shell. The script travels as base64 inside of base64, so that none of its characters means
 * anything to the shell, to Windows or to the script around it.
 *
 * @param program The name or path of PowerShell.
 * @param script What PowerShell shall run.
 * @returns The line; undefined where it is too long for Windows.
 */
export function powershellLine(program: string, script: string): string | undefined {
  const source = toBase64(new TextEncoder().encode(script));
  const line = `"${program}" -NoLogo -NoProfile -NonInteractive -EncodedCommand ${toBase64(utf16(wrap(source)))}`;
  return line.length > MAX_LINE_LENGTH ? undefined : line;
}

/** Prints UTF-8 and no progress bars; ends with the exit code of the last program, or 1 where a command failed. */
function wrap(source: string): string {
  return [
    "$ProgressPreference = 'SilentlyContinue'",
    "try { $OutputEncoding = [Console]::OutputEncoding = New-Object System.Text.UTF8Encoding $false } catch {}",
    `. ([scriptblock]::Create([System.Text.Encoding]::UTF8.GetString([System.Convert]::FromBase64String('${source}'))))`,
    "if (-not $?) { if ($LASTEXITCODE) { exit $LASTEXITCODE } else { exit 1 } }",
    "if ($LASTEXITCODE) { exit $LASTEXITCODE }",
  ].join("\n");
}

/** The bytes that `-EncodedCommand` expects: UTF-16, the low byte first. */
function utf16(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length * 2);
  const view = new DataView(bytes.buffer);
  for (let at = 0; at < text.length; at += 1) view.setUint16(at * 2, text.charCodeAt(at), true);
  return bytes;
}
