import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { commandLine } from "../../command-line.harness.ts";

const home = mkdtempSync(join(tmpdir(), "gantry-cli-limits-"));
const gantry = commandLine(home);
const SLOW = 120_000;
writeFileSync(join(home, "config.yml"), "limits: { backoffSeconds: [3600], staggerSeconds: 0 }\n");

afterAll(async () => {
  await gantry(["stop", "--release"]);
  rmSync(home, { recursive: true, force: true });
}, SLOW);

const run = (...args: string[]) => gantry(["run", "-a", "scripted", "--cwd", tmpdir(), ...args]);
const json = async (...args: string[]) => JSON.parse((await gantry([...args, "--json"])).stdout);

test(
  "lists and retries limits and turns their automatic resume off and on",
  async () => {
    expect((await gantry(["limits"])).stdout).toBe("No limit is active.\n");
    const refused = await run("--title", "first", "[[refuse:rate_limit:Try again in 3600s.]]");
    expect(refused).toMatchObject({ status: 1 });
    expect(refused.stdout).toContain("✗ failed (rate_limit)");
    const parked = await run("--title", "second", "[[text]]");
    expect(parked).toMatchObject({ status: 1 });
    expect(parked.stderr).toMatch(/The message waits: Scripted rate limit, retries .*\d+:\d+/);
    expect((await gantry(["limits"])).stdout).toMatch(
      /^lim_scripted {2}Scripted rate limit, retries .*, 2 sessions held/,
    );
    expect((await gantry(["ls"])).stdout).toMatch(/◔ Held · until [\d-]*\s*\d+:\d+/);
    expect((await gantry(["status"])).stdout).toMatch(/limit +Scripted rate limit, retries/);
    expect((await gantry(["show", "second"])).stdout).toMatch(
      /limit +Scripted rate limit, retries .*gantry limits resume/,
    );
    expect((await gantry(["limits", "off", "second"])).stdout).toContain("stays on hold");
    expect((await gantry(["ls"])).stdout).toContain("◔ Held · until resumed");
    expect(await json("limits", "on", "second")).toMatchObject({ autoResume: true });
    await gantry(["queue", "edit", "first", "1", "[[text]]"]);
    expect((await gantry(["limits", "resume", "second", "--all"])).status).toBe(2);
    expect((await gantry(["limits", "resume", "--all"])).stdout).toMatch(/^lim_scripted: \S+ retries\n$/);
    expect((await gantry(["wait", "second"])).status).toBe(0);
    expect(await json("limits")).toEqual({ limits: [] });
    expect((await gantry(["limits", "resume"])).status).toBe(2);
    expect((await gantry(["limits", "resume", "--all"])).stdout).toBe("No limit is active.\n");
  },
  SLOW,
);

test(
  "shows, sets and removes budgets",
  async () => {
    expect(await json("budget")).toEqual({ dayUsd: null, sessionUsd: null });
    expect((await gantry(["budget", "day", "20"])).stdout).toBe("a day may cost $20\n");
    expect(await json("budget")).toEqual({ dayUsd: 20, sessionUsd: null });
    expect((await gantry(["budget", "day", "none"])).status).toBe(0);
    expect((await gantry(["budget", "day", "lots"])).status).toBe(2);
    expect((await run("--title", "dear", "[[text]]")).status).toBe(0);
    expect(await json("budget", "dear", "2.5")).toMatchObject({ budget: { usd: 2.5 } });
    expect((await gantry(["budget", "dear"])).stdout).toContain("may cost $2.5");
    expect(await json("budget", "dear", "none")).toMatchObject({ budget: null });
  },
  SLOW,
);

test(
  "groups usage by lane and turn and filters it by time",
  async () => {
    const all = await json("usage", "--by", "session,turn,lane");
    expect(all.rows.length).toBeGreaterThan(1);
    expect((await json("usage", "--since", "1d")).total).toEqual(all.total);
    expect((await json("usage", "--until", "1d")).total.turns).toBe(0);
    expect((await json("usage", "--session", "dear")).total.turns).toBe(1);
    expect((await gantry(["usage", "--since", "whenever"])).status).toBe(2);
  },
  SLOW,
);
