import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { needs } from "@gantry/testkit";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { isAlive, listProcesses } from "../identity.ts";
import { type Launched, launch } from "../launcher.ts";
import { Spool } from "../spool.ts";
import { stop } from "../stop.ts";
import { exitOfDir, outputOf, playground, waitUntil } from "../testing/playground.ts";
import { findStarter } from "./starter.ts";
import { starterCommand } from "./starter-program.ts";

const STARTER = { met: starterCommand(process.pid) !== undefined, reason: "The system has no starter." };
const { home, request, agent, started } = playground();
const parents: ChildProcess[] = [];
const left: Launched[] = [];

afterEach(async () => {
  for (const parent of parents.splice(0)) parent.kill("SIGKILL");
  for (const target of left.splice(0)) await stop(target, { graceMs: 0 });
});

const isStarter = (pid: number) => readFileSync(`/proc/${pid}/comm`, "utf8") === "perl\n";

/** The number of the starter that is a child of this process; 0 for none. */
function starterOf(parent: number): number {
  return listProcesses().find((one) => one.parent === parent && isStarter(one.pid))?.pid ?? 0;
}

const marked = (id: string) => listProcesses().filter((one) => one.marker === id);

/** Runs a stand-in for the daemon that starts an agent. */
function daemon(code: string): { child: ChildProcess; dir: string } {
  const id = `prc_starter${process.pid}x${parents.length}${Date.now()}`;
  const { dir } = new Spool(home()).create("ses_a", id);
  const script = join(import.meta.dirname, "../testing/parent.ts");
  const child = spawn(process.execPath, [script, dir, id, code], { stdio: ["ignore", "pipe", "inherit"] });
  parents.push(child);
  return { child, dir };
}

describe.runIf(STARTER.met)("the starter", needs(STARTER), () => {
  it("passes generated arguments and variables to many programs at once", async () => {
    const text = fc.string({ unit: "binary", maxLength: 40 }).map((value) => value.replaceAll("\0", "").toWellFormed());
    const cases = fc.sample(fc.record({ args: fc.array(text, { maxLength: 6 }), value: text }), 20);
    const code = "process.stdout.write(JSON.stringify([process.argv.slice(1), process.env.VALUE]))";
    const outputs = cases.map(async ({ args, value }) => {
      const env = { PATH: process.env.PATH ?? "", VALUE: value };
      const { dir } = await started(request("node", ["-e", code, "--", ...args], { env }));
      await exitOfDir(dir);
      return JSON.parse(outputOf(dir));
    });
    expect(await Promise.all(outputs)).toEqual(cases.map(({ args, value }) => [args, value]));
  });

  it("is one process for all agents, and an ended agent leaves no zombie", async () => {
    const [one, two] = await Promise.all([agent("exit 0"), agent("exec sleep 1000")]);
    const starter = starterOf(process.pid);
    expect(starter).toBeGreaterThan(0);
    const parent = listProcesses().find(({ pid }) => pid === two.pid)?.parent;
    expect(parent).toBe(starter);
    await exitOfDir(one.dir);
    await waitUntil(() => !existsSync(`/proc/${one.pid}`), "no zombie");
  });

  it("is replaced after it was killed, and its agents continue", async () => {
    const before = await agent("exec sleep 1000");
    const first = starterOf(process.pid);
    process.kill(first, "SIGKILL");
    await waitUntil(() => starterOf(process.pid) === 0, "the end of the starter");
    const after = await agent("exec sleep 1000");
    expect(isAlive(before) && isAlive(after)).toBe(true);
    expect(starterOf(process.pid)).not.toBe(first);
  });

  it("leaves nothing of a request that it did not finish: the daemon starts the agent", async () => {
    await agent("exit 0");
    const starter = starterOf(process.pid);
    process.kill(starter, "SIGSTOP");
    const what = request("/bin/sh", ["-c", "exec sleep 1000"]);
    const launching = launch(what);
    process.kill(starter, "SIGKILL");
    const result = await launching;
    if (!result.ok) throw new Error(result.failure.message);
    left.push(result);
    expect(isAlive(result)).toBe(true);
    const leaders = marked(what.id).filter(({ pid, pgid }) => pid === pgid);
    expect(leaders.map(({ pid }) => pid)).toEqual([result.pid]);
  });

  it("returns the system's error for a program that cannot be run", async () => {
    const files = {};
    const { ready } = (await findStarter()?.start({ command: ["/nowhere/x"], cwd: "/", env: {}, files })) ?? {};
    await expect(ready).rejects.toMatchObject({ code: "ENOENT" });
    await expect(findStarter()?.start({ command: ["/bin/true", "a\0b"], cwd: "/", env: {}, files })).rejects.toThrow(
      "NUL",
    );
  });

  it("dies with the daemon, and the agent does not", async () => {
    const { child, dir } = daemon("exec sleep 1000");
    const [line] = await once(child.stdout!, "data");
    const launched = JSON.parse(String(line)) as Launched;
    left.push(launched);
    const starter = starterOf(child.pid ?? 0);
    expect(starter).toBeGreaterThan(0);
    child.kill("SIGKILL");
    await once(child, "exit");
    await waitUntil(() => !existsSync(`/proc/${starter}`), "the end of the starter");
    expect(isAlive(launched)).toBe(true);
    expect(existsSync(join(dir, "exit"))).toBe(false);
  });

  it("carries out no request after its daemon was killed", async () => {
    const file = join(home(), "started");
    const child = spawn(process.execPath, [join(import.meta.dirname, "../testing/stopped-starter.ts"), file], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    parents.push(child);
    const [line] = await once(child.stdout!, "data");
    const starter = Number(String(line));
    expect(isStarter(starter)).toBe(true);
    child.kill("SIGKILL");
    await once(child, "exit");
    await waitUntil(() => !existsSync(`/proc/${starter}`), "the end of the starter");
    expect(existsSync(file)).toBe(false);
  });
});
