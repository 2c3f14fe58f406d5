import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it, vi } from "vitest";
import { openStore } from "./sqlite/open.ts";

vi.setConfig({ testTimeout: 120_000 });

const home = mkdtempSync(join(tmpdir(), "gantry-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** Runs the writer until it has acknowledged some commits, kills it, and returns the last one it acknowledged. */
async function killedWriter(path: string, commits: number): Promise<number> {
  const script = join(import.meta.dirname, "testing/writer.ts");
  const writer = spawn(process.execPath, [script, path], { stdio: ["ignore", "pipe", "inherit"] });
  const exited = once(writer, "exit");
  let text = "";
  for await (const chunk of writer.stdout) {
    text += chunk;
    if (text.split("\n").length > commits) writer.kill("SIGKILL");
  }
  await exited;
  return Number(text.split("\n").at(-2));
}

it("loses no acknowledged commit and stores none in part when the writer is killed at any moment", async () => {
  const path = join(home, "gantry.db");
  for (const commits of [1, 7, 40, 150, 400]) {
    const acknowledged = await killedWriter(path, commits);
    const store = openStore(path);
    const last = store.lastSeq("ses_crash");
    expect(last).toBeGreaterThanOrEqual(acknowledged);
    expect(last % 10).toBe(0);
    const numbers = store.readEvents("ses_crash", 0, last + 1).map((event) => event.seq);
    expect(numbers).toEqual(Array.from({ length: last }, (_, index) => index + 1));
    expect(store.spools.get("prc_crash")?.offset).toBe(last * 100);
    expect(store.sessions.get("ses_crash")).toMatchObject({ lastSeq: last, view: { lastSeq: last } });
    store.close();
  }
});
