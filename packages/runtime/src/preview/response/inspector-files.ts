import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Paths that the preview serves; they never reach the target. */
export const RESERVED = "/__gantry/";

const NAMES = ["inspector.js", "screenshot.js"] as const;

/**
 * The scripts of the page's build in the folder `inspector/`. They run in previewed documents and exchange messages with
 * the page. Without a built page there are none, and previews have no inspector.
 */
export class InspectorFiles {
  readonly #files: ReadonlyMap<string, Buffer>;
  readonly #version: string;

  constructor(folder: string | undefined) {
    this.#files = folder === undefined ? new Map() : read(folder);
    this.#version = createHash("sha256")
      .update(Buffer.concat([...this.#files.values()]))
      .digest("hex")
      .slice(0, 12);
  }

  find(path: string): Buffer | undefined {
    return this.#files.get(path);
  }

  /** The tag that loads the inspector and names the origin it may message; empty if there is no inspector. */
  tag(pages: readonly string[], nonce: string): string {
    if (this.#files.size === 0) return "";
    const source = `${RESERVED}${NAMES[0]}?v=${this.#version}`;
    return `<script src="${source}" nonce="${nonce}" data-pages="${pages.join(" ")}"></script>`;
  }
}

function read(folder: string): Map<string, Buffer> {
  try {
    return new Map(NAMES.map((name) => [RESERVED + name, readFileSync(join(folder, name))]));
  } catch {
    return new Map();
  }
}
