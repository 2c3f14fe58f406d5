import { randomBytes } from "node:crypto";
import { createWriteStream, existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { GantryError } from "@gantry/protocol";
import { limits } from "./format.ts";

/** Uploaded files in the daemon's home. Each is deleted after its import or refusal. */
export class Uploads {
  readonly #folder: string;
  readonly #most: number;

  constructor(home: string, most = limits.fileBytes) {
    this.#folder = join(home, "imports");
    this.#most = most;
  }

  /** Throws `too_large`. */
  refuseLarge(bytes: number): void {
    if (bytes <= this.#most) return;
    throw new GantryError("too_large", `The file is larger than ${this.#most} bytes. Nothing was changed.`, {
      remedy: "Gantry does not import sessions of that size.",
    });
  }

  /** Writes a stream to disk. Throws `too_large` or `bad_request`; the file is deleted by then. */
  async take(file: Readable): Promise<string> {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const path = join(this.#folder, `${randomBytes(12).toString("hex")}.upload`);
    const target = createWriteStream(path, { mode: 0o600, flags: "wx" });
    const closed = new Promise<void>((resolve) => target.once("close", resolve));
    try {
      await pipeline(file, (source) => this.#atMost(source), target);
      return path;
    } catch (error) {
      // The stream may still be opening the file, which would recreate it after the removal.
      await closed;
      rmSync(path, { force: true });
      if (error instanceof GantryError || (error as NodeJS.ErrnoException).code === "ENOSPC") throw error;
      throw new GantryError("bad_request", "The connection broke before the file was complete. Nothing was changed.");
    }
  }

  remove(path: string): void {
    rmSync(path, { force: true });
  }

  /** Removes files of an earlier daemon, except those that jobs still need. */
  sweep(needed: ReadonlySet<string>): void {
    if (!existsSync(this.#folder)) return;
    for (const name of readdirSync(this.#folder)) {
      const path = join(this.#folder, name);
      if (!needed.has(path)) rmSync(path, { force: true });
    }
  }

  async *#atMost(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let size = 0;
    for await (const chunk of source) {
      size += chunk.length;
      this.refuseLarge(size);
      yield chunk;
    }
  }
}
