import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

const KEPT = 1000;

/** What the user has sent, over all sessions, the oldest first. A file that cannot be used is as good as none. */
export type PromptHistory = { readonly texts: readonly string[]; add(text: string): void };

export function openPromptHistory(file: string | undefined): PromptHistory {
  const texts = file === undefined ? [] : read(file);
  return {
    texts,
    add(text) {
      if (text.trim() === "" || texts.at(-1) === text) return;
      texts.push(text);
      if (file === undefined) return;
      try {
        mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
        appendFileSync(file, `${JSON.stringify(text)}\n`, { mode: 0o600 });
      } catch {
        // It is there for this session at least.
      }
    },
  };
}

function read(file: string): string[] {
  try {
    const lines = readFileSync(file, "utf8").split("\n").filter(Boolean);
    const texts = lines.flatMap((line) => parsed(line) ?? []);
    if (lines.length > 2 * KEPT) {
      const kept = texts.slice(-KEPT).map((text) => `${JSON.stringify(text)}\n`);
      writeFileSync(file, kept.join(""), { mode: 0o600 });
    }
    return texts.slice(-KEPT);
  } catch {
    return [];
  }
}

function parsed(line: string): string | undefined {
  try {
    const text: unknown = JSON.parse(line);
    return typeof text === "string" ? text : undefined;
  } catch {
    return undefined;
  }
}
