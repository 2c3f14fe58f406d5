import type { ImageBlock, Message, TextBlock } from "@gantry/models";
import type { ImageLimits } from "./limits.ts";

/** The blocks that replace each image, by its limits. Each image is scaled once, and every request has the same bytes. */
const fitted = new WeakMap<ImageBlock, Map<number, Promise<(ImageBlock | TextBlock)[]>>>();

const QUALITY = 80;
const SMALLER = 0.7;
const ATTEMPTS = 6;

/** Scales the images of the messages to the limits. The stored conversation keeps the originals. Never rejects. */
export async function fitImages(messages: readonly Message[], limits: ImageLimits): Promise<Message[]> {
  return Promise.all(messages.map((message) => fitMessage(message, limits)));
}

async function fitMessage(message: Message, limits: ImageLimits): Promise<Message> {
  if (message.role !== "user" && message.role !== "toolResult") return message;
  if (typeof message.content === "string") return message;
  if (!message.content.some(({ type }) => type === "image")) return message;
  const blocks = await Promise.all(
    message.content.map((block) => (block.type === "image" ? fitOnce(block, limits) : [block])),
  );
  return { ...message, content: blocks.flat() };
}

function fitOnce(image: ImageBlock, limits: ImageLimits): Promise<(ImageBlock | TextBlock)[]> {
  const known = fitted.get(image) ?? new Map<number, Promise<(ImageBlock | TextBlock)[]>>();
  fitted.set(image, known);
  const result = known.get(limits.edge) ?? fitImage(image, limits);
  known.set(limits.edge, result);
  return result;
}

async function fitImage(image: ImageBlock, limits: ImageLimits): Promise<(ImageBlock | TextBlock)[]> {
  try {
    const { Transformer } = await import("@napi-rs/image");
    const bytes = Buffer.from(image.data, "base64");
    const { width, height } = await new Transformer(bytes).metadata();
    if (Math.max(width, height) <= limits.edge && image.data.length <= limits.characters) return [image];
    return await scaleImage(image, { bytes, width, height }, limits);
  } catch {
    // An unknown format, or a machine without the library: the provider decides.
    return image.data.length <= limits.characters ? [image] : [leftOut(image)];
  }
}

type Picture = { bytes: Buffer; width: number; height: number };

/** A PNG stays one, because screenshots have sharp text, unless it is too large; then it becomes a JPEG, and smaller. */
async function scaleImage(image: ImageBlock, { bytes, width, height }: Picture, limits: ImageLimits) {
  const { ResizeFit, Transformer } = await import("@napi-rs/image");
  let edge = Math.min(limits.edge, Math.max(width, height));
  for (let attempt = 0; attempt < ATTEMPTS; attempt++, edge = Math.floor(edge * SMALLER)) {
    const scale = Math.min(1, edge / Math.max(width, height));
    const size = { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
    // Without an argument, `rotate` applies the orientation of a camera, which scaled images do not carry.
    const resize = () => new Transformer(bytes).rotate().resize({ ...size, fit: ResizeFit.Inside });
    const formats = image.mimeType === "image/jpeg" ? ["image/jpeg"] : ["image/png", "image/jpeg"];
    for (const mimeType of formats) {
      const data = (await (mimeType === "image/png" ? resize().png() : resize().jpeg(QUALITY))).toString("base64");
      if (data.length > limits.characters) continue;
      const text = `[The image was scaled from ${width}×${height} to ${size.width}×${size.height} pixels.]`;
      return [
        { type: "image" as const, data, mimeType },
        { type: "text" as const, text },
      ];
    }
  }
  return [leftOut(image)];
}

function leftOut({ mimeType, data }: ImageBlock): TextBlock {
  return { type: "text", text: `[An image (${mimeType}, ${data.length} characters) is too large and was left out.]` };
}
