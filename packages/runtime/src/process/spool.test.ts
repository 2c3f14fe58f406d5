import { existsSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { Spool } from "./spool.ts";
import { playground } from "./testing/playground.ts";

const { home } = playground();
const DAY = 86_400_000;

function fillSpool(spool: Spool, session: string, process: string, bytes: number, ageDays = 0, now = Date.now()): void {
  const { out } = spool.create(session, process);
  writeFileSync(out, "x".repeat(bytes));
  const time = (now - ageDays * DAY) / 1000;
  utimesSync(out, time, time);
}

describe("Spool", () => {
  it("creates folders for the owner alone, and only from ids", () => {
    const spool = new Spool(home());
    const { dir } = spool.create("ses_a", "prc_a");
    expect(statSync(dir).mode & 0o777).toBe(0o700);
    for (const id of ["..", "a/b", "../ses_x", ""]) expect(() => spool.create(id, "prc_a")).toThrow("is not an id");
  });

  it("compresses the output of an ended process, and is idempotent", async () => {
    const spool = new Spool(home());
    const text = "hello\n".repeat(100_000);
    const { out, compressed } = spool.create("ses_a", "prc_a");
    writeFileSync(out, text);
    writeFileSync(`${compressed}.tmp`, "left by a crash");
    await spool.compress("ses_a", "prc_a");
    await spool.compress("ses_a", "prc_a");
    expect(existsSync(out)).toBe(false);
    expect(gunzipSync(readFileSync(compressed)).toString()).toBe(text);
    expect(spool.size()).toBeLessThan(text.length / 10);
  });

  it("sweeps by age, then by size from the oldest, and never spools in use", () => {
    const spool = new Spool(home());
    const now = Date.now();
    fillSpool(spool, "ses_a", "prc_old", 10, 40, now);
    fillSpool(spool, "ses_a", "prc_live", 1000, 50, now);
    fillSpool(spool, "ses_b", "prc_middle", 600, 5, now);
    fillSpool(spool, "ses_c", "prc_new", 600, 1, now);
    const swept = spool.sweep({ maxAgeDays: 30, maxBytes: 1700, now, keep: new Set(["prc_live"]) });
    expect(swept).toEqual([
      { session: "ses_a", process: "prc_old", bytes: 10, reason: "age" },
      { session: "ses_b", process: "prc_middle", bytes: 600, reason: "size" },
    ]);
    expect(spool.size()).toBe(1600);
    expect(existsSync(join(spool.paths("ses_b", "prc_x").dir, ".."))).toBe(false);
  });

  it("removes a process or a whole session", () => {
    const spool = new Spool(home());
    fillSpool(spool, "ses_a", "prc_a", 10);
    fillSpool(spool, "ses_a", "prc_b", 20);
    spool.remove("ses_a", "prc_a");
    expect(spool.size()).toBe(20);
    spool.remove("ses_a");
    expect(spool.size()).toBe(0);
  });
});
