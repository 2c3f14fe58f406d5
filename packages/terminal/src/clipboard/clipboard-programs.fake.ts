import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A PNG with one pixel. */
export const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/** What the fake programs print: by program, a script of /bin/sh with `$PIXEL` as the path of the picture. */
const SCRIPTS = {
  "wl-paste": `case "$*" in *--list-types*) printf 'text/plain\\nimage/png\\n';; *"--type image/png"*) cat "$PIXEL";; *) exit 1;; esac`,
  xclip: `case "$*" in *TARGETS*) printf 'TARGETS\\nimage/png\\n';; *image/png*) cat "$PIXEL";; *) exit 1;; esac`,
  pngpaste: `[ "$1" = - ] && cat "$PIXEL"`,
  osascript: `printf '«data PNGf'; od -An -v -tx1 "$PIXEL" | tr -d ' \\n' | tr a-f A-F; printf '»\\n'`,
  "powershell.exe": `base64 -w0 "$PIXEL"; printf '\\r\\n'`,
};

export type ClipboardProgram = keyof typeof SCRIPTS;

/**
 * Replaces the programs that read the system's clipboard: writes scripts of the same names to a folder for PATH.
 * `content: "text"`: the clipboard has no image.
 */
export function writeFakeClipboard(
  folder: string,
  programs: readonly ClipboardProgram[],
  content: "image" | "text" = "image",
  image = PIXEL,
): void {
  const file = join(folder, "pixel.png");
  writeFileSync(file, image);
  for (const program of programs) {
    const script = content === "image" ? SCRIPTS[program] : "printf text/plain";
    writeFileSync(join(folder, program), `#!/bin/sh\nPIXEL='${file}'\n${script}\n`);
    chmodSync(join(folder, program), 0o755);
  }
}
