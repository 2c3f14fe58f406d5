import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { needs } from "@gantry/testkit";
import { describe, expect, it } from "vitest";
import { openStore } from "../../log/sqlite/open.ts";
import { isAlive, startToken } from "../identity.ts";
import { Ledger } from "../ledger.ts";
import { reap, stop } from "../stop.ts";
import { exitOfDir, outputOf, playground, waitUntil } from "../testing/playground.ts";
import { adoptionCommand, readDescendants, writeDescendants } from "./descendants.ts";

const { agent, home } = playground();

/** Starts a process that has another session, no environment and no parent, and prints its number. */
const HIDE = `(env -i setsid sh -c 'echo $$; trap "" TERM; exec sleep 1000' &)`;

async function hiddenProcess(dir: string): Promise<{ pid: number; startedAt: string }> {
  const pid = await waitUntil(() => Number(outputOf(dir).split("\n")[0]) || undefined, "the hidden process");
  return { pid, startedAt: startToken(pid) ?? "" };
}

const ADOPTION = { met: adoptionCommand({}).length > 0, reason: "The system has no child subreapers, or no perl." };

describe("a hidden descendant", () => {
  it.runIf(ADOPTION.met)("is recorded when the agent exits at once, without a daemon", needs(ADOPTION), async () => {
    const { dir, id, pgid } = await agent(`${HIDE}; sleep 0.2; exit 3`);
    expect(await exitOfDir(dir)).toEqual({ code: 3, signal: null });
    const hidden = await hiddenProcess(dir);
    expect(readDescendants(dir)).toEqual([hidden]);
    expect(await reap({ id, pgid, dir })).toBe(1);
    expect(isAlive(hidden)).toBe(false);
  });

  it.runIf(ADOPTION.met)(
    "is killed by the next daemon when the agent exited while none ran",
    needs(ADOPTION),
    async () => {
      const target = await agent(`${HIDE}; sleep 0.2`);
      const { id, dir } = target;
      const ledger = new Ledger(openStore(join(home(), "gantry.db")).processes);
      ledger.record({ id, dir, session: "ses_a", agent: "test", bin: "sh", cwd: "/" });
      ledger.recordStart(target);
      await exitOfDir(dir);
      const hidden = await hiddenProcess(dir);
      await waitUntil(() => !isAlive(target), "the end of the agent");
      expect((await ledger.reconcile(() => true)).reaped).toEqual([{ process: id, count: 1 }]);
      expect(isAlive(hidden)).toBe(false);
    },
  );

  it.runIf(ADOPTION.met)(
    "is killed when it starts after SIGTERM of an agent that does not end",
    needs(ADOPTION),
    async () => {
      const target = await agent(`trap '${HIDE.replaceAll("'", `'\\''`)}' TERM; echo; while :; do sleep 0.05; done`);
      await waitUntil(() => outputOf(target.dir) === "\n", "start");
      const stopped = stop(target, { graceMs: 1500, killMs: 60_000 });
      const pid = await waitUntil(() => Number(outputOf(target.dir).trim()) || undefined, "the hidden process");
      const hidden = { pid, startedAt: startToken(pid) ?? "" };
      expect((await stopped).how).toBe("killed");
      expect(isAlive(hidden)).toBe(false);
    },
  );
});

it("starts the agent without perl where its environment changes perl", () => {
  expect(adoptionCommand({ PERL5OPT: "-Mmissing" })).toEqual([]);
});

it("reads the descendants that a daemon stored and ignores other text", () => {
  const descendants = [
    { pid: 12, startedAt: "boot:77" },
    { pid: 13, startedAt: "Tue Nov 17 16:00:00 2026" },
  ];
  const dir = home();
  writeDescendants(dir, descendants);
  writeFileSync(join(dir, "orphans"), "x y\n0 boot:1\n14\n");
  expect(readDescendants(dir)).toEqual(descendants);
});
