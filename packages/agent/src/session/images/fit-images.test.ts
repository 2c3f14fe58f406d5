import type { ImageBlock, Message } from "@gantry/models";
import { Transformer } from "@napi-rs/image";
import { describe, expect, it } from "vitest";
import { fitImages } from "./fit-images.ts";
import { imageLimitsOf } from "./limits.ts";

/** A picture of noise, which compresses badly, or of one colour. */
async function picture(width: number, height: number, mimeType: string, noise = false): Promise<ImageBlock> {
  let seed = 1;
  const pixels = Buffer.alloc(width * height * 4, 200);
  for (let at = 0; noise && at < pixels.length; at++) {
    seed = (seed * 48_271) % 2_147_483_647;
    pixels[at] = seed & 255;
  }
  const image = Transformer.fromRgbaPixels(pixels, width, height);
  const bytes = await (mimeType === "image/png" ? image.png() : image.jpeg(90));
  return { type: "image", data: bytes.toString("base64"), mimeType };
}

const send = async (image: ImageBlock, api: Parameters<typeof imageLimitsOf>[0]["api"] = "anthropic-messages") => {
  const message: Message = { role: "user", content: [{ type: "text", text: "look" }, image], timestamp: 1 };
  const [fitted] = await fitImages([message], imageLimitsOf({ api }));
  return (fitted as Extract<Message, { role: "user" }>).content.slice(1) as unknown as [ImageBlock, { text: string }?];
};
const sizeOf = async ({ data }: ImageBlock) => {
  const { width, height } = await new Transformer(Buffer.from(data, "base64")).metadata();
  return [width, height];
};

describe("an image of a request", () => {
  it("is sent unchanged when it fits", async () => {
    const small = await picture(200, 100, "image/png");
    const [image, note] = await send(small);
    expect(image).toBe(small);
    expect(note).toBeUndefined();
  });

  it.each([
    ["anthropic-messages", 2000, 1000],
    ["openai-responses", 2048, 1024],
    ["openai-completions", 2048, 1024],
    ["google-generative-ai", 3072, 1536],
    ["ollama-chat", 2000, 1000],
  ] as const)("has the size that the provider of %s accepts", async (api, width, height) => {
    const [image, note] = await send(await picture(4000, 2000, "image/png"), api);
    expect(await sizeOf(image)).toEqual([width, height]);
    expect(image.mimeType).toBe("image/png");
    expect(note?.text).toBe(`[The image was scaled from 4000×2000 to ${width}×${height} pixels.]`);
  });

  it("stays a JPEG, and very long pictures keep at least one pixel", async () => {
    const [image] = await send(await picture(1000, 3000, "image/jpeg"));
    expect([image.mimeType, await sizeOf(image)]).toEqual(["image/jpeg", [667, 2000]]);
    const [line] = await send(await picture(9000, 1, "image/png"));
    expect(await sizeOf(line)).toEqual([2000, 1]);
  });

  it("becomes a JPEG when the PNG has too many bytes", async () => {
    const [image] = await send(await picture(1500, 1500, "image/png", true));
    expect(image.mimeType).toBe("image/jpeg");
    expect(image.data.length).toBeLessThanOrEqual(imageLimitsOf({ api: "anthropic-messages" }).characters);
  });

  it("is scaled once for all requests", async () => {
    const large = await picture(2500, 100, "image/png");
    const [[first], [second]] = [await send(large), await send(large)];
    expect(first).toBe(second);
  });

  it("is sent unchanged when it cannot be read, and left out when it is too large for that", async () => {
    const broken = { type: "image" as const, data: "AAAA", mimeType: "image/png" };
    expect((await send(broken))[0]).toBe(broken);
    const huge = { ...broken, data: "A".repeat(6 * 1024 * 1024) };
    expect((await send(huge))[0]).toMatchObject({ type: "text", text: expect.stringContaining("left out") });
  });
});
