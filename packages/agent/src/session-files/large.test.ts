import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { openSessionStore } from "./open.ts";

it("opens a session of 10,000 entries without parsing all of their lines", () => {
  const agentDir = mkdtempSync(join(tmpdir(), "gantry-session-large-"));
  try {
    const file = join(agentDir, "large.jsonl");
    writeFileSync(file, lines(10_000));
    const parse = vi.spyOn(JSON, "parse");
    const store = openSessionStore(file, { agentDir, readOnly: true });
    expect(parse.mock.calls.length).toBeLessThan(100);
    expect(store.path()).toHaveLength(10_000);
    expect(store.branch().messages).toHaveLength(10_000);
  } finally {
    vi.restoreAllMocks();
    rmSync(agentDir, { recursive: true, force: true });
  }
});

function lines(count: number): string {
  const id = (n: number) => n.toString(16).padStart(8, "0");
  const timestamp = "2026-11-16T09:00:00.000Z";
  const entries = Array.from({ length: count }, (_, n) => {
    const text = `Answer ${n}: ${'some "quoted" text\n'.repeat(60)}`;
    const message = n % 2 ? { role: "user", content: text, timestamp: n } : assistant(text, n);
    return JSON.stringify({ type: "message", id: id(n), parentId: n ? id(n - 1) : null, timestamp, message });
  });
  const header = JSON.stringify({ type: "session", version: 3, id: "x", timestamp, cwd: "/w" });
  return `${[header, ...entries].join("\n")}\n`;
}

function assistant(text: string, n: number) {
  const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };
  const usage = { input: n, output: n, cacheRead: 0, cacheWrite: 0, totalTokens: 2 * n, cost };
  return { role: "assistant", content: [{ type: "text", text }], usage, stopReason: "stop", timestamp: n };
}
