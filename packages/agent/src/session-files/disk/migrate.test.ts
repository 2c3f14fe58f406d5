import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openSessionStore } from "../open.ts";

let agentDir: string;
let file: string;
beforeEach(() => {
  agentDir = mkdtempSync(join(tmpdir(), "gantry-session-old-"));
  file = join(agentDir, "old.jsonl");
});
afterEach(() => rmSync(agentDir, { recursive: true, force: true }));

const timestamp = "2025-01-01T00:00:00.000Z";
const write = (lines: unknown[]) => writeFileSync(file, `${lines.map((line) => JSON.stringify(line)).join("\n")}\n`);
const user = (content: string) => ({ type: "message", timestamp, message: { role: "user", content, timestamp: 1 } });

const FIRST = [
  { type: "session", id: "s", timestamp, cwd: "/w", provider: "openai", modelId: "gpt", thinkingLevel: "low" },
  user("one"),
  user("two"),
  { type: "compaction", timestamp, summary: "sum", firstKeptEntryIndex: 2, tokensBefore: 5 },
  user("three"),
];

it("migrates a version 1 list to a tree and keeps the old file", () => {
  write(FIRST);
  const old = readFileSync(file, "utf8");
  const store = openSessionStore(file, { agentDir });
  expect(store.path()).toHaveLength(6);
  expect(store.branch()).toMatchObject({
    messages: [{ role: "compactionSummary", summary: "sum" }, { content: "two" }, { content: "three" }],
    model: "openai/gpt",
    thinkingLevel: "low",
  });
  store.append({ type: "custom", customType: "x", data: 1 });
  store.close();
  expect(readFileSync(`${file}.bak`, "utf8")).toBe(old);
  expect(JSON.parse(readFileSync(file, "utf8").split("\n")[0]!)).toEqual({
    type: "session",
    id: "s",
    timestamp,
    cwd: "/w",
    version: 3,
  });
  expect(openSessionStore(file, { agentDir }).problems).toEqual([]);
  expect(readdirSync(agentDir).filter((name) => name.includes("draft"))).toEqual([]);
});

it("does not rewrite an old file that is opened read-only", () => {
  write(FIRST);
  const old = readFileSync(file, "utf8");
  expect(openSessionStore(file, { agentDir, readOnly: true }).branch().messages).toHaveLength(3);
  expect(readFileSync(file, "utf8")).toBe(old);
  expect(readdirSync(agentDir)).toEqual(["old.jsonl"]);
});

it("keeps a second backup next to the first", () => {
  writeFileSync(`${file}.bak`, "mine");
  write(FIRST);
  openSessionStore(file, { agentDir }).close();
  expect(readFileSync(`${file}.bak`, "utf8")).toBe("mine");
  expect(readdirSync(agentDir).filter((name) => name.endsWith(".bak"))).toHaveLength(2);
});

it("reads the entry formats of related programs", () => {
  const place = (n: number) => ({ id: `e${n}`, parentId: n ? `e${n - 1}` : null, timestamp });
  write([
    { type: "session", version: 2, id: "s", timestamp, cwd: "/w" },
    {
      type: "message",
      ...place(0),
      message: { role: "hookMessage", customType: "h", content: "noted", display: true, timestamp: 1 },
    },
    { type: "model_change", ...place(1), provider: "anthropic", modelId: "opus" },
    { type: "session_info", ...place(2), name: "Its name" },
    { type: "service_tier_change", ...place(3), tier: "flex" },
    { ...user("last"), ...place(4) },
    { type: "message", ...place(5), message: { role: "unknown" } },
    { type: "compaction", ...place(6) },
  ]);
  const store = openSessionStore(file, { agentDir });
  expect(store.header.title).toBe("Its name");
  expect(store.branch()).toMatchObject({
    messages: [{ role: "custom", content: "noted" }, { content: "last" }],
    model: "anthropic/opus",
  });
  expect(store.entry("e3")).toMatchObject({
    type: "custom",
    customType: "service_tier_change",
    data: { tier: "flex" },
    parentId: "e1",
  });
  expect(store.problems.join("\n")).toMatch(/line 8: not readable[\s\S]*|line 7: not readable/);
});
