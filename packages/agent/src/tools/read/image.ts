import { readFile } from "node:fs/promises";
import { type ToolContext, ToolError, type ToolOutput } from "../../contract/tool.ts";
import { displayPath } from "../disk/path.ts";

const MAX_BYTES = 20 * 1024 * 1024;

/** The image type by content, if models accept it. */
export function imageType(head: Buffer): string | undefined {
  const ascii = head.toString("latin1", 0, 12);
  if (ascii.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (ascii.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (ascii.startsWith("GIF87a") || ascii.startsWith("GIF89a")) return "image/gif";
  if (ascii.startsWith("RIFF") && ascii.slice(8) === "WEBP") return "image/webp";
  return undefined;
}

export async function readImage(
  path: string,
  mimeType: string,
  size: number,
  context: ToolContext,
): Promise<ToolOutput> {
  const name = displayPath(path, context);
  if (size > MAX_BYTES) throw new ToolError(`${name} is an image of ${size} bytes; at most ${MAX_BYTES} can be shown.`);
  const bytes = await readFile(path, { signal: context.signal });
  return {
    content: [
      { type: "text", text: `${name}: ${mimeType}, ${bytes.length} bytes` },
      { type: "image", data: bytes.toString("base64"), mimeType },
    ],
    details: { path: name, mimeType, bytes: bytes.length },
  };
}
