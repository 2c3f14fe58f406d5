import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeFakeAgent } from "@gantry/testkit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { commandLine } from "./command-line.harness.ts";

const home = mkdtempSync(join(tmpdir(), "gantry-cli-"));
const cwd = mkdtempSync(join(tmpdir(), "gantry-cli-work-"));
const gantry = commandLine(home);
const SLOW = 120_000;

beforeAll(async () => {
  // Several commands at once on a fresh home: one daemon comes out of it.
  const all = await Promise.all([gantry(["ls"]), gantry(["ls", "--json"]), gantry(["inbox"])]);
  expect(all.map(({ status }) => status)).toEqual([0, 0, 0]);
}, SLOW);

afterAll(async () => {
  await gantry(["stop", "--release"]);
  rmSync(home, { recursive: true, force: true });
  rmSync(cwd, { recursive: true, force: true });
}, SLOW);

const run = (...args: string[]) => gantry(["run", "-a", "scripted", "--cwd", cwd, ...args]);
const ids = (text: string, prefix: string) => text.match(new RegExp(`${prefix}_[a-z0-9]+`))?.[0] ?? "";

test(
  "run exits with the outcome of its turn",
  async () => {
    const completed = await run("[[text]]");
    expect(completed).toMatchObject({ status: 0, stderr: "" });
    expect(completed.stdout).toMatch(/The answer is 42\.\n\n✓ completed · /);
    expect(completed.stdout).not.toContain("\x1b");
    const failed = await run("[[error:billing]]");
    expect(failed.status).toBe(1);
    expect(failed.stdout).toContain("✗ failed (billing)");
    let signalled = false;
    const interrupted = await gantry(["run", "-a", "scripted", "--mode", "full-auto", "[[slow:2000:20]]", "--json"], {
      cwd,
      onOutput: (stdout, kill) => {
        if (signalled || !stdout.includes('"delta"')) return;
        signalled = true;
        kill("SIGINT");
      },
    });
    expect(interrupted.status).toBe(130);
    expect(await run("[[hang]]", "--timeout", "1")).toMatchObject({ status: 1 });
    expect((await gantry(["run", "-a", "missing", "hi"])).status).toBe(2);
  },
  SLOW,
);

test(
  "with --json every line is an event or a live frame, and numbers have no gap",
  async () => {
    const { status, stdout } = await run("--json", "[[multi]]", "--mode", "full-auto");
    expect(status).toBe(0);
    const lines = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    const durable = lines.filter((line) => !line.live);
    expect(durable.map((event) => event.seq)).toEqual(durable.map((_event, index) => index + 1));
    expect(durable.at(-1)).toMatchObject({ v: 1, type: "turn.ended", data: { outcome: "completed" } });
    expect(lines.some((line) => line.live && line.type === "delta")).toBe(true);
  },
  SLOW,
);

test(
  "in a pipe a pending input exits 4 and prints how to answer; the answer resumes the turn",
  async () => {
    const asked = await run("--title", "colours", "[[ask]]");
    expect(asked.status).toBe(4);
    const hint = /gantry answer (\w+) allow --answer q1=Red/.exec(asked.stdout);
    expect(hint).not.toBeNull();
    expect((await gantry(["wait", "colours"])).status).toBe(4);
    expect((await gantry(["inbox"])).stdout).toContain("Which colour?");
    expect((await gantry(["answer", hint?.[1] ?? "", "allow"])).status).toBe(2);
    expect((await gantry(["answer", hint?.[1] ?? "", "allow", "--answer", "q1=2"])).stdout).toContain("allowed");
    expect((await gantry(["wait", "colours"])).status).toBe(0);
    const again = await gantry(["answer", ids(asked.stdout, "inp") || (hint?.[1] ?? ""), "allow"]);
    expect(again.status).toBe(2);
    const shown = (await gantry(["show", "colours"])).stdout;
    expect(shown).toContain("Thanks for answering.");
    expect(shown).toMatch(/model +the agent.s default \(the agent reports scripted/);
  },
  SLOW,
);

test(
  "send, queue and logs work on a running session",
  async () => {
    const started = await run("--detach", "--title", "slow one", "[[slow:4000:25]]");
    expect(started.status).toBe(0);
    expect((await gantry(["send", "slow one", "--delivery", "queue", "alpha [[text]]"])).stdout).toContain("place 1");
    expect(
      (await gantry(["send", "slow one", "--delivery", "queue", "-"], { input: "beta [[text]]" })).stdout,
    ).toContain("place 2");
    await gantry(["queue", "move", "slow one", "2", "1"]);
    const queue = JSON.parse((await gantry(["queue", "cancel", "slow one", "alpha", "--json"])).stdout);
    expect(queue.queue.map((entry: { text: string }) => entry.text)).toEqual(["beta [[text]]"]);
    expect((await gantry(["interrupt", "slow one"])).stdout).toContain("1 message held: gantry queue resume");
    expect((await gantry(["queue", "slow one"])).stdout).toContain("Paused.");
    expect((await gantry(["queue", "resume", "slow one"])).stdout).toContain("The queue is empty.");
    expect((await gantry(["wait", "slow one", "--timeout", "60"])).status).toBe(0);
    const logs = (await gantry(["logs", "slow one"])).stdout;
    expect(logs).toMatch(/■ interrupted[\s\S]*› beta \[\[text\]\][\s\S]*✓ completed/);
    expect(logs).toContain("cancelled: alpha");
    const sent = await gantry(["send", "slow one", "--wait", "[[text]]"]);
    expect(sent).toMatchObject({ status: 0, stdout: expect.stringContaining("The answer is 42.") });
    expect((await gantry(["rm", "slow one"])).status).toBe(2);
    expect((await gantry(["rm", "slow one", "--yes"])).status).toBe(0);
    expect((await gantry(["show", "slow one"])).status).toBe(2);
  },
  SLOW,
);

test(
  "sessions are archived, listed among the archived ones, and restored",
  async () => {
    await run("old work [[text]]");
    const titles = async (...flags: string[]) =>
      JSON.parse((await gantry(["ls", "--all", "--json", ...flags])).stdout).sessions.map(
        (session: { title: string }) => session.title,
      );
    expect((await gantry(["archive", "old work"])).stdout).toMatch(/^archived \w+ old work/);
    expect(await titles()).not.toContain("old work [[text]]");
    expect(await titles("--archived")).toEqual(["old work [[text]]"]);
    expect((await gantry(["show", "old work"])).status).toBe(0);
    expect((await gantry(["archive", "old work", "--undo"])).stdout).toContain("restored");
    expect(await titles()).toContain("old work [[text]]");
    expect((await gantry(["ls", "--archived"])).stdout).toBe("No archived sessions.\n");
  },
  SLOW,
);

test(
  "the demo runs to its end without a person",
  async () => {
    const { status, stdout } = await gantry(["demo"]);
    expect(status).toBe(0);
    expect(stdout).toContain("Approvals are given automatically");
    expect(stdout).toMatch(/What changed\n {2}NOTES\.md {2}\+3/);
    const folder = /(\S*gantry-demo-\w+)/.exec(stdout)?.[1] ?? "";
    expect(execFileSync("git", ["log", "--format=%s"], { cwd: folder, encoding: "utf8" })).toContain("Parcel rates");
    rmSync(folder, { recursive: true, force: true });
  },
  SLOW,
);

test(
  "an agent's own conversation is resumed; an agent without a list reports that",
  async () => {
    const id = ids((await run("--json", "[[text]] about the heron")).stdout, "ses");
    const { handles } = JSON.parse((await gantry(["show", id, "--json"])).stdout);
    await gantry(["rm", id, "--yes"]);
    const resumed = await run("--resume", handles.scripted, "--json", "[[text]] which?");
    expect(resumed.status).toBe(0);
    expect(resumed.stdout).toContain(`"handles":{"scripted":"${handles.scripted}"}`);
    const listed = await gantry(["conversations", "scripted"]);
    expect(listed).toMatchObject({ status: 2, stderr: expect.stringContaining("cannot list these conversations") });
    expect(await gantry(["conversations", "scripted", "--all", "--cwd", "/tmp"])).toMatchObject({ status: 2 });
  },
  SLOW,
);

test(
  "agents, doctor, search, usage and grants print their lists",
  async () => {
    await run("[[text]] unmistakable");
    expect((await gantry(["agents"])).stdout).toMatch(/● scripted/);
    const page = (await gantry(["web"])).stdout.trim();
    expect(page).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#ticket=\S+$/);
    const [origin = "", ticket] = page.split("/#ticket=");
    const redeem = {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ ticket }),
    };
    expect((await fetch(`${origin}/v1/tickets/redeem`, redeem)).status).toBe(200);
    const doctor = await gantry(["doctor", "scripted", "--live"]);
    expect(doctor).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/✓ handshake[\s\S]*✓ first output[\s\S]*✓ turn/),
    });
    expect((await gantry(["ls", "--json"])).stdout).not.toContain('"title":"doctor"');
    expect((await gantry(["search", "unmistakable"])).stdout).toContain("[unmistakable]");
    const usage = (await gantry(["usage", "--by", "agent"])).stdout;
    expect(usage).toMatch(/FIRST OUTPUT +COST\n[\s\S]*scripted +\d+.* \d+(\.\d+)? ?m?s /);
    expect((await gantry(["grants"])).stdout).toBe("No standing permissions.\n");
    expect((await gantry(["set", "last", "--lead", "on"])).stdout).toMatch(/lead +on +in effect/);
    expect((await gantry(["show", "last"])).stdout).toMatch(/lead +answers, hands off and lands/);
    expect((await gantry(["grants"])).stdout).toMatch(/is a lead: [\s\S]*--lead off/);
    await gantry(["set", "last", "--lead", "off"]);
    expect(JSON.parse((await gantry(["status", "--json"])).stdout)).toMatchObject({ running: true, home });
  },
  SLOW,
);

test(
  "doctor prints each step for one agent, and why a prompt was not answered",
  async () => {
    const profile = (id: string, text: string) =>
      writeFileSync(join(home, "agents", `${id}.yml`), `id: ${id}\n${text}`);
    profile("torn", "extends: scripted\ncolour: blue\n");
    profile("mute", "extends: acp\ncommand: [cat]\n");
    const crashing = writeFakeAgent({ dir: join(home, "fake"), dialect: "scripted", fault: "crash-after-accept" });
    profile("crashes", `extends: scripted\ncommand: [${crashing}]\n`);
    const torn = await gantry(["doctor", "torn"]);
    expect(torn).toMatchObject({ status: 3, stdout: expect.stringMatching(/✗ program[\s\S]*torn\.yml:3: colour/) });
    const crashed = await gantry(["doctor", "crashes", "--live"]);
    expect(crashed).toMatchObject({
      status: 1,
      stdout: expect.stringMatching(/✓ handshake[\s\S]*✗ first output .*crashed[\s\S]*fix:/),
    });
    const mute = JSON.parse((await gantry(["doctor", "mute", "--live", "--json"])).stdout);
    expect(mute).toMatchObject({ agents: [{ id: "mute", state: "broken" }], live: [] });
    expect((await gantry(["doctor", "missing"])).status).toBe(2);
    const all = await gantry(["doctor"]);
    expect(all.status).toBe(0);
    expect(all.stdout).toMatch(
      /✗ torn +broken[\s\S]*NOT INSTALLED[\s\S]*\d+ ready, 1 not logged in, 2 broken, \d+ not installed\n$/,
    );
    for (const id of ["torn", "mute", "crashes"]) rmSync(join(home, "agents", `${id}.yml`));
  },
  SLOW,
);

test(
  "a second daemon on the same home prints the pid of the first and exits 3",
  async () => {
    const { status, stdout, stderr } = await gantry(["serve"]);
    expect({ status, stdout }).toEqual({ status: 3, stdout: "" });
    expect(stderr).toMatch(/A daemon already runs on .* process \d+/);
  },
  SLOW,
);

test(
  "serve prints one line when it is ready, and stops at a signal",
  async () => {
    const own = mkdtempSync(join(tmpdir(), "gantry-cli-"));
    const served = await commandLine(own)(["serve"], { onOutput: (_stdout, kill) => kill("SIGTERM") });
    expect(served.stdout).toMatch(/^gantry ready http:\/\/127\.0\.0\.1:\d+\/#ticket=\S+\n$/);
    expect(served).toMatchObject({ status: 0, stderr: "stopped; no agents were running\n" });
    const json = await commandLine(own)(["serve", "--json"], { onOutput: (_stdout, kill) => kill("SIGINT") });
    expect(JSON.parse(json.stdout)).toMatchObject({ ready: true, url: expect.any(String), port: expect.any(Number) });
    rmSync(own, { recursive: true, force: true });
  },
  SLOW,
);
