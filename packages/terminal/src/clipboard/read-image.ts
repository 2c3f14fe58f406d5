import { execFile } from "node:child_process";

export type ClipboardImage = { data: Buffer; mimeType: string };

type Place = { env: Record<string, string | undefined>; platform?: NodeJS.Platform };
type Read = (place: Place) => Promise<ClipboardImage | undefined>;

/** The types that models accept, the best first. */
const TYPES = ["image/png", "image/jpeg", "image/webp", "image/gif"];
const MOST_BYTES = 64 * 1024 * 1024;
const TIMEOUT_MS = 10_000;
const PNG = Buffer.from("89504e470d0a1a0a", "hex");

/** Prints the image on the clipboard of Windows as a PNG in base64, or nothing. */
const POWERSHELL = [
  "Add-Type -AssemblyName System.Windows.Forms,System.Drawing",
  "$image = [System.Windows.Forms.Clipboard]::GetImage()",
  "if ($image) { $stream = New-Object System.IO.MemoryStream",
  "$image.Save($stream, [System.Drawing.Imaging.ImageFormat]::Png)",
  "[Convert]::ToBase64String($stream.ToArray()) }",
].join("; ");

/**
 * Reads the image on the clipboard with the programs of the system: wl-paste, xclip, pngpaste or osascript, and PowerShell in
 * WSL. Returns a text for the user if there is no image or no program. Never rejects.
 */
export async function readClipboardImage(place: Place): Promise<ClipboardImage | { problem: string }> {
  const missing: string[] = [];
  for (const { program, read } of programsOf(place)) {
    try {
      const image = await read(place);
      if (image) return image;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") missing.push(program);
    }
  }
  const all = programsOf(place).map(({ program }) => program);
  if (all.length === 0) return { problem: "There is no clipboard here. Attach the image with @ and its path." };
  if (missing.length < all.length) return { problem: "There is no image on the clipboard." };
  return {
    problem: `The clipboard cannot be read. Install ${missing.join(" or ")}, or attach the image with @ and its path.`,
  };
}

function programsOf({ env, platform = process.platform }: Place): { program: string; read: Read }[] {
  if (platform === "darwin")
    return [
      { program: "pngpaste", read: readWithPngpaste },
      { program: "osascript", read: readWithAppleScript },
    ];
  return [
    ...(env.WAYLAND_DISPLAY ? [{ program: "wl-paste", read: readWithWlPaste }] : []),
    ...(env.DISPLAY ? [{ program: "xclip", read: readWithXclip }] : []),
    ...(env.WSL_DISTRO_NAME ? [{ program: "powershell.exe", read: readWithPowerShell }] : []),
  ];
}

async function readWithWlPaste(place: Place): Promise<ClipboardImage | undefined> {
  const mimeType = pickType(await run(place, "wl-paste", ["--list-types"]));
  return mimeType === undefined
    ? undefined
    : asImage(await run(place, "wl-paste", ["--no-newline", "--type", mimeType]), mimeType);
}

async function readWithXclip(place: Place): Promise<ClipboardImage | undefined> {
  const from = ["-selection", "clipboard", "-o", "-t"];
  const mimeType = pickType(await run(place, "xclip", [...from, "TARGETS"]));
  return mimeType === undefined ? undefined : asImage(await run(place, "xclip", [...from, mimeType]), mimeType);
}

async function readWithPngpaste(place: Place): Promise<ClipboardImage | undefined> {
  return asImage(await run(place, "pngpaste", ["-"]), "image/png");
}

/** Prints `«data PNGf89504E47…»`. */
async function readWithAppleScript(place: Place): Promise<ClipboardImage | undefined> {
  const text = await run(place, "osascript", ["-e", "the clipboard as «class PNGf»"]);
  const [, hex] = /PNGf([0-9A-F]+)/i.exec(text.toString("utf8")) ?? [];
  return hex === undefined ? undefined : asImage(Buffer.from(hex, "hex"), "image/png");
}

async function readWithPowerShell(place: Place): Promise<ClipboardImage | undefined> {
  const args = ["-NoProfile", "-NonInteractive", "-STA", "-Command", POWERSHELL];
  const text = await run(place, "powershell.exe", args);
  return asImage(Buffer.from(text.toString("latin1").trim(), "base64"), "image/png");
}

function pickType(list: Buffer): string | undefined {
  const offered = list.toString("utf8").split(/\s+/);
  return TYPES.find((type) => offered.includes(type));
}

/** Some programs print an error as if it were the image. */
function asImage(data: Buffer, mimeType: string): ClipboardImage | undefined {
  const isImage = data.length > 0 && (mimeType !== "image/png" || data.subarray(0, PNG.length).equals(PNG));
  return isImage ? { data, mimeType } : undefined;
}

function run({ env }: Place, program: string, args: readonly string[]): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const options = {
      env: env as NodeJS.ProcessEnv,
      encoding: "buffer",
      maxBuffer: MOST_BYTES,
      timeout: TIMEOUT_MS,
    } as const;
    execFile(program, args, options, (error, stdout) => (error ? reject(error) : resolve(stdout)));
  });
}
