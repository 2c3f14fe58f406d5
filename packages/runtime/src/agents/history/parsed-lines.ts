/** Lines as objects, parsed lazily and once. */
export class ParsedLines {
  readonly #lines: readonly string[];
  readonly #parsed: (Record<string, unknown> | undefined)[] = [];

  constructor(lines: readonly string[]) {
    this.#lines = lines;
  }

  /** The first entry that satisfies `is`. With `word`, lines that do not contain it are skipped without parsing. */
  find(matches: (entry: Record<string, unknown>) => boolean, substring = ""): Record<string, unknown> | undefined {
    for (let at = 0; at < this.#lines.length; at++) {
      if (!this.#lines[at]?.includes(substring)) continue;
      const entry = this.#at(at);
      if (entry && matches(entry)) return entry;
    }
    return undefined;
  }

  #at(at: number): Record<string, unknown> | undefined {
    if (at in this.#parsed) return this.#parsed[at];
    const entry = objectIn(this.#lines[at] ?? "");
    this.#parsed[at] = entry;
    return entry;
  }
}

function objectIn(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
