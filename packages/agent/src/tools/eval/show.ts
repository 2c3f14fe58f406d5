import type { ImageBlock } from "@gantry/models";
import type { Bundle } from "./kernel.ts";

const STATUS = "application/x-gantry-status";

/** The form of a value for the model, and further forms for screens. */
export function inText(bundle: Bundle): { text: string; images: ImageBlock[]; data: unknown[] } {
  const images = ["image/png", "image/jpeg"].flatMap((mimeType): ImageBlock[] => {
    const data = bundle[mimeType];
    return typeof data === "string" ? [{ type: "image", mimeType, data: data.replace(/\s+/g, "") }] : [];
  });
  const data = ["application/json", STATUS].flatMap((mime) => (mime in bundle ? [bundle[mime]] : []));
  const found = ["text/markdown", "text/plain", "text/html"].find((mime) => typeof bundle[mime] === "string");
  if (found === undefined) return { text: status(bundle[STATUS]), images, data };
  const text = String(bundle[found]);
  // The text form of a picture adds nothing to the picture.
  if (images.length > 0 && found === "text/plain") return { text: "", images, data };
  return { text: found === "text/html" ? fromHtml(text) : text, images, data };
}

function status(value: unknown): string {
  if (value === null || typeof value !== "object") return "";
  const { op, ...rest } = value as Record<string, unknown>;
  return `[${[op, ...Object.entries(rest).map(([name, part]) => `${name} ${part}`)].join(", ")}]`;
}

/** Tables as lines and columns; everything else without markup. */
function fromHtml(html: string): string {
  return html
    .replace(/<(style|script)[\s\S]*?<\/\1>/gi, "")
    .replace(/<\/t[hd]>\s*/gi, " | ")
    .replace(/<\/(tr|p|div|h\d|li)>|<br\s*\/?>/gi, "\n")
    .replace(/<[^>]+>/g, "")
    .replace(
      /&(amp|lt|gt|quot|#39|nbsp);/g,
      (_, name: string) => ({ amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" })[name] ?? " ",
    )
    .replace(/\n\s*\n+/g, "\n")
    .trim();
}
