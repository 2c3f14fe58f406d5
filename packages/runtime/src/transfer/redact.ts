import { createHash } from "node:crypto";
import type { BlobRef, Envelope } from "@gantry/protocol";
import { hideSecrets } from "../framing/secret-patterns.ts";

export type Redaction = {
  /** Folders to hide with their replacements; longest first. */
  paths: readonly { path: string; as: string }[];
  /** Known secret values. */
  values: readonly string[];
};

/** Redacts texts that leave the machine: keys and passwords by pattern, known secrets, and the user's home. */
export class Redactor {
  readonly #paths: Redaction["paths"];
  readonly #values: readonly string[];
  readonly #replaced = new Map<string, BlobRef>();

  constructor({ paths, values }: Redaction) {
    this.#paths = [...paths].filter(({ path }) => path.length > 1).sort((a, b) => b.path.length - a.path.length);
    this.#values = values;
  }

  text(text: string): string {
    let shown = hideSecrets(text, this.#values);
    for (const { path, as } of this.#paths) shown = withoutPath(shown, path, as);
    return shown;
  }

  /** The event with every text redacted. Pictures are not changed. */
  event(event: Envelope): Envelope {
    return {
      ...event,
      data: this.#value(event.data),
      ...(event.ext ? { ext: this.#value(event.ext) } : {}),
    } as Envelope;
  }

  /** The redacted text of a blob, and the hash that events use for it. */
  blob(name: string, text: string): { name: string; text: string } {
    const shown = this.text(text);
    const bytes = Buffer.from(shown);
    const blob = createHash("sha256").update(bytes).digest("hex");
    this.#replaced.set(name, { blob, size: bytes.length, head: shown.slice(0, 2000), tail: shown.slice(-2000) });
    return { name: blob, text: shown };
  }

  #value(value: unknown, key = ""): unknown {
    if (typeof value === "string") return key === "data" ? value : this.text(value);
    if (Array.isArray(value)) return value.map((entry) => this.#value(entry));
    if (typeof value !== "object" || value === null) return value;
    const known = this.#replaced.get((value as { blob?: string }).blob ?? "");
    if (known) return known;
    return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, this.#value(entry, name)]));
  }
}

/** Whole names only: `/home/ann` is not in `/home/anne`. */
function withoutPath(text: string, path: string, as: string): string {
  if (!text.includes(path)) return text;
  const pattern = new RegExp(`${path.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?![\\w.-])`, "g");
  return text.replace(pattern, as);
}
