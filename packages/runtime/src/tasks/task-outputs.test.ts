import { spawn } from "node:child_process";
import { mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Item, Task } from "@gantry/protocol";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { MARKER } from "../process/identity.ts";
import type { ProcessRow } from "../process/ledger.ts";
import { readTail } from "./read-tail.ts";
import { OutputReader } from "./task-outputs.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "gantry-output-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const startedAt = "2026-01-01T00:00:00.000Z";

function reader(task: Partial<Task>, rows: Partial<ProcessRow>[] = []): OutputReader {
  const known: Task = { task: "t1", kind: "command", title: "x", status: "running", startedAt, ...task };
  return new OutputReader({
    tasks: () => [known],
    item: () => ({ text: "from the call" }) as Item,
    processes: { ofSession: () => rows as ProcessRow[] },
  });
}

it("reads the end of the file that the agent reports, from a whole line on", () => {
  const file = join(folder, "out.log");
  writeFileSync(file, "first line\nsecond line\nthird\n");
  expect(reader({ file }).read("ses_a", "t1", 10)).toEqual({ text: "third\n", cut: true, source: "file" });
  expect(reader({ file }).read("ses_a", "t1", undefined)).toMatchObject({ cut: false, source: "file" });
});

it("reads what a running command wrote to its file, without a report of the agent", async () => {
  const out = openSync(join(folder, "live.log"), "w");
  const command = "echo serving; exec sleep 300";
  const child = spawn("/bin/sh", ["-c", command], {
    detached: true,
    stdio: ["ignore", out, "ignore"],
    env: { ...process.env, [MARKER]: "prc_one" },
  });
  try {
    const rows = [{ id: "prc_one", pid: 1, pgid: 1 }];
    await vi.waitFor(() =>
      expect(reader({ pid: child.pid }, rows).read("ses_a", "t1", 100)).toEqual({
        text: "serving\n",
        cut: false,
        source: "process",
      }),
    );
  } finally {
    process.kill(-(child.pid ?? 0), "SIGKILL");
  }
});

it("falls back to the result of the tool call, and reports when there is none", () => {
  expect(reader({ item: "itm_1" }).read("ses_a", "t1", 4)).toEqual({ text: "call", cut: true, source: "item" });
  expect(reader({}).read("ses_a", "t1", 4)).toEqual({ text: "", cut: false, source: "none" });
  expect(() => reader({}).read("ses_a", "other", 4)).toThrow("has no task other");
});

it("reads neither folders nor devices", () => {
  expect(readTail(folder, 10)).toBeUndefined();
  expect(readTail("/dev/zero", 10)).toBeUndefined();
  expect(readTail(join(folder, "missing"), 10)).toBeUndefined();
});
