import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openPromptHistory } from "./prompt-history.ts";

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "gantry-history-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

describe("the prompt history", () => {
  it("is stored across sessions, readable only by its owner, and survives an invalid file", () => {
    const file = join(folder(), "agent/history.jsonl");
    const first = openPromptHistory(file);
    for (const text of ["one", "two\nlines", "two\nlines", "  "]) first.add(text);
    expect(openPromptHistory(file).texts).toEqual(["one", "two\nlines"]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    writeFileSync(file, 'nonsense\n7\n"good"\n');
    expect(openPromptHistory(file).texts).toEqual(["good"]);
    writeFileSync(file, Array.from({ length: 2500 }, (_, at) => `"${at}"\n`).join(""));
    expect(openPromptHistory(file).texts).toHaveLength(1000);
    expect(readFileSync(file, "utf8").split("\n")).toHaveLength(1001);
    openPromptHistory(join(file, "below/a-file")).add("x");
  });
});
