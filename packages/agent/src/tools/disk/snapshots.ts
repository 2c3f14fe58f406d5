import type { ToolContext } from "../../contract/tool.ts";

const PATHS = 30;
const VERSIONS = 4;
const MAX_CHARACTERS = 4 * 1024 * 1024;

/** The versions of files that the model has seen, newest first, so that anchors into an older version can be resolved. */
export class Snapshots {
  readonly #texts = new Map<string, string[]>();

  remember(path: string, text: string): void {
    if (text.length > MAX_CHARACTERS) return;
    const versions = [text, ...this.versionsOf(path).filter((version) => version !== text)].slice(0, VERSIONS);
    this.#texts.delete(path);
    this.#texts.set(path, versions);
    const oldest = this.#texts.keys().next();
    if (this.#texts.size > PATHS && !oldest.done) this.#texts.delete(oldest.value);
  }

  versionsOf(path: string): readonly string[] {
    return this.#texts.get(path) ?? [];
  }
}

export function snapshotsOf(context: ToolContext): Snapshots {
  return context.memory.get("files.snapshots", () => new Snapshots());
}
