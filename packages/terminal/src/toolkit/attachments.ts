import { readFileSync, statSync } from "node:fs";
import { basename, extname, resolve } from "node:path";
import type { Attachment } from "@gantry/protocol";

const MIME: Record<string, string> = {
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".gif": "image/gif",
  ".webp": "image/webp",
};
const LARGEST_IMAGE = 10_000_000;

/** Images that were pasted into a message. The text has a chip for each, such as `[image 1: a.png]`. */
export class ImageChips {
  readonly #images = new Map<string, Attachment>();

  /** The chip of a pasted path if it names an image, as terminals paste a dropped file; otherwise `undefined`. */
  fromPath(pasted: string, cwd: string): string | undefined {
    const path = pasted
      .trim()
      .replace(/^(['"])(.*)\1$/, "$2")
      .replace(/\\ /g, " ")
      .replace(/^file:\/\//, "");
    const mime = MIME[extname(path).toLowerCase()];
    if (!mime || path.includes("\n")) return undefined;
    try {
      const file = resolve(cwd, path);
      if (!statSync(file).isFile() || statSync(file).size > LARGEST_IMAGE) return undefined;
      return this.add({ name: basename(file), mime, data: readFileSync(file).toString("base64") });
    } catch {
      return undefined;
    }
  }

  /** The chip of an image. */
  add(image: Attachment): string {
    const chip = `[image ${this.#images.size + 1}: ${image.name ?? "pasted"}]`;
    this.#images.set(chip, image);
    return chip;
  }

  /** The images whose chips are still in the text. The chips stay in the text, so that it can refer to them. */
  take(text: string): Attachment[] {
    const taken = [...this.#images].filter(([chip]) => text.includes(chip)).map(([, image]) => image);
    this.#images.clear();
    return taken;
  }
}
