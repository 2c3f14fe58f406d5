import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Client } from "@gantry/client";
import type { Envelope } from "@gantry/protocol";
import { writeFakeAgent } from "@gantry/testkit";
import { afterEach, describe, expect, test } from "vitest";
import { KillableDaemon } from "../harness/killable-daemon.ts";
import { findBreaches } from "../harness/laws.ts";
import { processesOf } from "../harness/processes.ts";
import { eventually } from "../harness/wait.ts";
import { killPointsAround } from "./crash-project.ts";

const ID = "ses_reverted";
const FORK = "ses_forked";
const REVERT_STEPS = ["keep", "write", "tell"]; // prose-ignore: step names of the job
const homes: string[] = [];
afterEach(() => {
  for (const home of homes.splice(0)) {
    for (const { pid } of processesOf(home)) process.kill(pid, "SIGKILL");
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  }
});

type Place = { cwd: string; env: Record<string, string>; git: (...args: string[]) => string };

/** Creates a repository with one commit. */
function makePlace(): Place {
  const home = mkdtempSync(join(tmpdir(), "gantry-checkpoint-"));
  homes.push(home);
  const cwd = join(home, "project");
  mkdirSync(cwd);
  const bin = writeFakeAgent({ dir: join(home, "bin"), dialect: "scripted", pace: 1 });
  const base = { PATH: process.env.PATH ?? "", HOME: home };
  const author = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com"];
  const git = (...args: string[]) =>
    execFileSync("git", [...author, ...args], { cwd, env: base, encoding: "utf8" }).trim();
  git("init", "-q");
  writeFileSync(join(cwd, "README.md"), "hello\n");
  git("add", "-A");
  git("commit", "-q", "-m", "first");
  return { cwd, git, env: { ...base, GANTRY_HOME: join(home, "gantry"), GANTRY_SCRIPTED_BIN: bin } };
}

/** A session with one turn, which wrote `bash.txt`. */
async function oneTurn(client: Client, cwd: string): Promise<string> {
  const prompt = "[[bash]] go";
  await client.sessions.create({ id: ID, agent: "scripted", mode: "full-auto", cwd, prompt });
  return eventually("the diff of the turn", async () => {
    const [turn] = await client.turns.list(ID);
    return turn?.diff ? turn.turn : undefined;
  });
}

/** Runs `act` in a daemon that kills itself at a step of it, and returns a client of the next daemon. */
async function killDuring(where: string, { cwd, env }: Place, act: (client: Client, turn: string) => Promise<unknown>) {
  const first = new KillableDaemon({ ...env, GANTRY_DIE_AT: where });
  const client = await first.start();
  const turn = await oneTurn(client, cwd);
  await act(client, turn).catch(() => undefined);
  await first.waitForExit();
  const second = new KillableDaemon(env);
  return { second, next: await second.start(), turn };
}

async function log(client: Client, id: string): Promise<Envelope[]> {
  return (await client.sessions.events(id, { limit: 5000 })).events;
}

describe("a daemon that is killed", () => {
  test.each(killPointsAround("revert", REVERT_STEPS))(
    "at %s finishes the revert once after the restart",
    async (where) => {
      const here = makePlace();
      const file = join(here.cwd, "bash.txt");
      const index = readFileSync(join(here.cwd, ".git", "index"));
      const { second, next } = await killDuring(where, here, (client, turn) => client.turns.revert(ID, turn));
      const reverts = async () =>
        (await log(next, ID)).flatMap(({ type, data }) => (type === "diff.updated" && data.revert ? [data] : []));
      const [revert] = await eventually("the revert", async () => {
        const all = await reverts();
        return all.length > 0 ? all : undefined;
      });
      expect(existsSync(file)).toBe(false);
      expect(readdirSync(here.cwd).sort()).toEqual([".git", "README.md"]);
      await next.turns.undo(ID, revert?.revert?.undo ?? "");
      expect(readFileSync(file, "utf8")).toBe("hi-from-bash\n");
      expect((await reverts()).map(({ files }) => files.map(({ kind }) => kind))).toEqual([["delete"], ["add"]]);
      expect(findBreaches(await log(next, ID))).toEqual([]);
      expect(readFileSync(join(here.cwd, ".git", "index")).equals(index)).toBe(true);
      await next.shutdown("release");
      await second.kill("SIGTERM");
    },
  );

  const moments = ["start", "snapshot", "ref", "publish"];
  test.each(["before", "after"].flatMap((side) => moments.map((moment) => `checkpoint:${side}:${moment}`)))(
    "at %s completes the turn and its diff after the restart, and leaves the user's index alone",
    async (where) => {
      const here = makePlace();
      const index = readFileSync(join(here.cwd, ".git", "index"));
      const first = new KillableDaemon({ ...here.env, GANTRY_DIE_AT: where });
      const client = await first.start();
      const body = { id: ID, agent: "scripted", mode: "full-auto" as const, cwd: here.cwd, prompt: "[[bash]] go" };
      await client.sessions.create(body).catch(() => undefined);
      await first.waitForExit();
      const second = new KillableDaemon(here.env);
      const next = await second.start();
      const [turn] = await eventually("the diff of the turn", async () => {
        const turns = await next.turns.list(ID);
        return turns[0]?.diff ? turns : undefined;
      });
      expect(turn?.diff).toMatchObject({ files: 1, additions: 1 });
      const { lastTurn, turns } = await next.sessions.get(ID);
      expect([lastTurn?.outcome, turns]).toEqual(["completed", 1]);
      expect(readFileSync(join(here.cwd, "bash.txt"), "utf8")).toBe("hi-from-bash\n");
      expect(readFileSync(join(here.cwd, ".git", "index")).equals(index)).toBe(true);
      expect(findBreaches(await log(next, ID))).toEqual([]);
      await next.turns.revert(ID, turn?.turn ?? "");
      await eventually("the reverted file", () => !existsSync(join(here.cwd, "bash.txt")));
      await next.shutdown("release");
      await second.kill("SIGTERM");
    },
  );

  test.each(killPointsAround("fork", ["lane", "files", "session"]))(
    "at %s finishes the fork once after the restart",
    async (where) => {
      const here = makePlace();
      const { second, next } = await killDuring(where, here, (client) => client.turns.fork(ID, { id: FORK }));
      const fork = await eventually("the fork", () => next.sessions.get(FORK).catch(() => undefined));
      expect(readFileSync(join(fork.cwd, "bash.txt"), "utf8")).toBe("hi-from-bash\n");
      const { lanes } = await next.call("listLanes", { query: { cwd: here.cwd } });
      expect(lanes.filter(({ kind }) => kind !== "primary")).toMatchObject([{ id: fork.lane, path: fork.cwd }]);
      expect(here.git("worktree", "list").split("\n")).toHaveLength(2);
      await next.shutdown("release");
      await second.kill("SIGTERM");
    },
  );
}, 120_000);
