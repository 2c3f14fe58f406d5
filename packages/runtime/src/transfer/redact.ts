import { createHash } from "node:crypto";
import type { BlobRef, Envelope } from "@gantry/protocol";

/** Patterns of keys, tokens and passwords. The secret is the last group, or the whole match. */
const SECRETS: readonly RegExp[] = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?-----END [A-Z ]*PRIVATE KEY-----/g,
  /\b(?:sk|rk|pk)-[A-Za-z0-9_-]{16,}/g,
  /\b(?:ghp|gho|ghu|ghs|ghr|glpat|npm|hf|dop_v1|shpat|xox[abposr])[_-][A-Za-z0-9_-]{16,}/g,
  /\bgithub_pat_[A-Za-z0-9_]{20,}/g,
  /\bAIza[A-Za-z0-9_-]{30,}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}/g,
  /\b(?:Bearer|Basic) [A-Za-z0-9._~+/-]{16,}=*/g,
  /(?<=:\/\/[^\s/:@]{1,100}:)[^\s/@]{3,}(?=@)/g,
  /(?<=\b[A-Z0-9_]*(?:TOKEN|SECRET|PASSWORD|PASSWD|API_?KEY|PRIVATE_?KEY|CREDENTIALS?)["']?\s*[=:]\s*["']?)[^\s"'`,;]{6,}/g,
  /(?<=\b(?:password|passwd|secret|api[_-]?key|access[_-]?token|auth[_-]?token)["']?\s*[=:]\s*["']?)[^\s"'`,;]{6,}/gi,
];
const HIDDEN = "[hidden]";

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
    this.#values = values.filter((value) => value.length >= 6);
  }

  text(text: string): string {
    let shown = text;
    for (const value of this.#values) shown = shown.replaceAll(value, HIDDEN);
    for (const secret of SECRETS) shown = shown.replace(secret, HIDDEN);
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
