import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Application, type CommandContext, generateHelpTextForAllCommands } from "@stricli/core";
import { afterAll, expect, test } from "vitest";
import { commandLine, inProcess } from "./command-line.harness.ts";
import { buildCommandLine } from "./program/application.ts";
import { makeOutput } from "./program/output.ts";

const home = mkdtempSync(join(tmpdir(), "gantry-cli-"));
const spawned = commandLine(home);
const gantry = (args: string[]) => inProcess(home, args);
afterAll(() => rmSync(home, { recursive: true, force: true }));

const SLOW = 60_000;

test("every command has help with an example of itself", async () => {
  const output = makeOutput(process, { json: false, noColor: true });
  const commands = generateHelpTextForAllCommands(
    (await buildCommandLine({ version: "0", output })) as unknown as Application<CommandContext>,
  );
  expect(commands.length).toBeGreaterThan(28);
  for (const [route, help] of commands) {
    const examples = help.split("EXAMPLES\n")[1] ?? "";
    expect(examples, route).toContain(route.replace(/ list$/, ""));
  }
});

test(
  "a wrong command line exits 2 and explains the mistake",
  async () => {
    const wrong: [string[], RegExp][] = [
      [["rnu"], /no command `rnu`[\s\S]*Did you mean `run`/],
      [["qxz"], /no command `qxz`\.\n {2}→ `gantry help` lists/],
      [["-q"], /no flag `-q`\.\n {2}→ `gantry help` lists/],
      [["handoff", "x"], /missing|at least/i],
      [["handover", "x"], /no command `handover`[\s\S]*`handoff`/],
      [["run", "-a", "scripted", "--mod", "ask", "x"], /no flag --mod.*--mode/],
      [["run", "-a", "scripted", "--mode", "wild", "x"], /`wild` is not one of plan, ask/],
      [["run", "-a", "scripted", "--timeout", "soon", "x"], /not a number of seconds/],
      [["run", "-a", "scripted", "--cwd", "/", "--lane", "b", "x"], /--cwd or --lane/],
      [["run", "-a", "scripted"], /message is empty/],
      [["show"], /<session> is missing/],
      [["stop", "--keep", "--release"], /not both/],
      [["decode", "--agent", "missing", "x.jsonl"], /no agent `missing`/],
      [["decode", "--agent", "scripted", "/no/such/file"], /cannot be read/],
      [["completion", "tcsh"], /tcsh is not one of/],
    ];
    for (const [args, message] of wrong) {
      const { status, stdout, stderr } = await gantry(args);
      expect({ args, status, stdout }).toEqual({ args, status: 2, stdout: "" });
      expect(stderr).toMatch(message);
      expect(stderr).not.toMatch(/\n\s+at /);
    }
  },
  SLOW,
);

test(
  "with --json an error is one JSON value on stderr",
  async () => {
    const { status, stderr } = await gantry(["rnu", "--json"]);
    expect(status).toBe(2);
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: "usage", message: "There is no command `rnu`." } });
  },
  SLOW,
);

test(
  "status, stop and completion start no daemon",
  async () => {
    expect(await gantry(["status"])).toMatchObject({
      status: 3,
      stdout: expect.stringContaining("no daemon is running"),
    });
    expect(JSON.parse((await gantry(["status", "--json"])).stdout)).toEqual({ running: false, home });
    expect(await gantry(["stop"])).toMatchObject({ status: 0, stdout: "no daemon is running\n" });
    expect((await gantry(["__complete", "--", "show", ""])).stdout).toContain("last\t");
    expect((await gantry(["status"])).status).toBe(3);
  },
  SLOW,
);

test(
  "completion proposes commands, flags and values",
  async () => {
    const proposals = async (...args: string[]) => {
      const { stdout } = await gantry(["__complete", "--", ...args]);
      return stdout
        .trimEnd()
        .split("\n")
        .map((line) => line.split("\t")[0]);
    };
    expect(await proposals("r")).toEqual(["run", "rename", "revert", "rm"]);
    expect(await proposals("run", "--mo")).toEqual(["--model", "--mode"]);
    expect(await proposals("run", "--mode", "p")).toEqual(["plan"]);
    expect(await proposals("ls", "--j")).toEqual(["--json"]);
    expect(await proposals("queue", "e")).toContain("edit");
    for (const shell of ["bash", "zsh", "fish"]) {
      expect((await gantry(["completion", shell])).stdout).toContain("gantry __complete --");
    }
  },
  SLOW,
);

test(
  "decode prints the events of a recording, or its figures",
  async () => {
    const lines = [
      { dir: "in", msg: { type: "start", resume: null, fork: false, cwd: "/p", mode: "ask" } },
      { dir: "out", msg: { type: "ready", session: "s1", model: "scripted-1", mode: "ask", models: [], commands: [] } },
      { dir: "in", msg: { type: "prompt", id: "msg_1", text: "hi" } },
      { dir: "out", msg: { type: "strange", session: "s1" } },
    ];
    const recording = `${lines.map((line) => JSON.stringify(line)).join("\n")}\n`;
    const path = join(home, "capture.jsonl");
    writeFileSync(path, recording);
    const fromFile = await spawned(["decode", "--agent", "scripted", path]);
    expect(fromFile.status).toBe(0);
    const events = fromFile.stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(events[0]).toMatchObject({ v: 1, seq: 1, type: "session.created" });
    expect(events.map((event) => event.type)).toContain("raw");
    const summary = JSON.parse(
      (await spawned(["decode", "--agent", "scripted", "--summary", "-"], { input: recording })).stdout,
    );
    expect(summary).toMatchObject({ raw: 1, unclosed: 0, events: events.filter((event) => !event.live).length });
  },
  SLOW,
);
