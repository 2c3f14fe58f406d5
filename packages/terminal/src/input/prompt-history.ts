import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

const LIMIT = 1000;

/** The prompts of all sessions, oldest first. An unusable file is ignored. */
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
        // The prompt stays in the history of this session.
      }
    },
  };
}

function read(file: string): string[] {
  try {
    const lines = readFileSync(file, "utf8").split("\n").filter(Boolean);
    const texts = lines.flatMap((line) => parseLine(line) ?? []);
    if (lines.length > 2 * LIMIT) {
      const newest = texts.slice(-LIMIT).map((text) => `${JSON.stringify(text)}\n`);
      writeFileSync(file, newest.join(""), { mode: 0o600 });
    }
    return texts.slice(-LIMIT);
  } catch {
    return [];
  }
}

function parseLine(line: string): string | undefined {
  try {
    const text: unknown = JSON.parse(line);
    return typeof text === "string" ? text : undefined;
  } catch {
    return undefined;
  }
}
