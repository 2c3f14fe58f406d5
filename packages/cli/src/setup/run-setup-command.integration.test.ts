import { spawnSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { writeLoginAgent } from "../../../runtime/src/terminals/login-agent.fake.ts";
import { openPty } from "../../../runtime/src/terminals/pty.ts";

const main = fileURLToPath(new URL("../main.ts", import.meta.url));
const command = [process.execPath, "--disable-warning=ExperimentalWarning", main];
const SLOW = 120_000;

let home: string;
let env: Record<string, string>;

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "gantry-offers-")));
  writeLoginAgent(join(home, "bin"), "gemini");
  env = {
    HOME: home,
    GANTRY_HOME: join(home, "gantry"),
    PATH: `${join(home, "bin")}:${process.env.PATH}`,
    SHELL: "/bin/sh",
    TERM: "xterm-256color",
    NO_COLOR: "1",
  };
});
afterEach(() => {
  runPiped("stop", "--release");
  rmSync(home, { recursive: true, force: true, maxRetries: 5 });
});

/** The command in a pipe. */
function runPiped(...args: string[]) {
  const [node = "", ...rest] = command;
  return spawnSync(node, [...rest, ...args], { env, cwd: home, encoding: "utf8", input: "", timeout: SLOW });
}

/** Runs the command in a terminal and types after a given text appears. */
function runTyped(...args: string[]) {
  const pty = openPty({ command: [...command, ...args], cwd: home, env, cols: 100, rows: 40 });
  const exit = Promise.withResolvers<number>();
  let seen = "";
  let read = 0;
  pty.onData((bytes) => {
    seen += bytes.toString("utf8");
  });
  pty.onExit(({ exitCode }) => exit.resolve(exitCode));
  return {
    exit: exit.promise,
    seen: () => seen,
    async reply(text: string, line: string) {
      await vi.waitFor(() => expect(seen.slice(read)).toContain(text), { timeout: SLOW, interval: 30 });
      read = seen.length;
      pty.write(`${line}\r`);
    },
  };
}

test(
  "a turn that fails without a login offers the login and sends the message again",
  async () => {
    const terminal = runTyped("run", "-a", "gemini", "hello");
    await terminal.reply("6 Not now", "6");
    await terminal.reply("Run gemini now? [y/N]", "y");
    await terminal.reply("Word?", "sesame");
    await terminal.reply("Send the message again? [y/N]", "y");
    expect(await terminal.exit).toBe(0);
    expect(terminal.seen()).toContain("Gemini CLI 9.9.9 is ready and logged in.");
    expect(terminal.seen()).toContain("Hello.");
  },
  SLOW,
);

test(
  "without a person it waits for the login, and fails with the command when that is declined",
  () => {
    const waiting = runPiped("run", "-a", "gemini", "hello");
    expect(waiting.status).toBe(4);
    expect(waiting.stdout).toMatch(/gantry allow \w+ --option key/);
    expect(runPiped("deny", "last").status).toBe(0);
    const shown = JSON.parse(runPiped("show", "last", "--json").stdout);
    expect(shown.lastTurn ?? shown.session.lastTurn).toMatchObject({
      outcome: "failed",
      error: { category: "auth", offer: { kind: "login", display: "gemini" } },
    });
    expect(runPiped("doctor", "gemini").stdout).toContain("gemini");
  },
  SLOW,
);

test(
  "login runs the agent's own command in this terminal and prints the result",
  async () => {
    const terminal = runTyped("login", "gemini");
    await terminal.reply("Word?", "sesame");
    expect(await terminal.exit).toBe(0);
    expect(terminal.seen()).toContain("$ gemini");
    expect(terminal.seen()).toContain("is ready and logged in");
  },
  SLOW,
);

test(
  "for a missing agent the install command is printed and the exit status is 3",
  async () => {
    rmSync(join(home, "bin"), { recursive: true });
    const display = "npm install -g @google/gemini-cli";
    const failed = runPiped("run", "-a", "gemini", "hello");
    expect(failed).toMatchObject({ status: 3, stderr: expect.stringContaining(display) });
    const { error } = JSON.parse(runPiped("run", "-a", "gemini", "hello", "--json").stderr);
    expect(error).toMatchObject({ code: "agent_unavailable", offer: { kind: "install", display } });
    expect(runPiped("login", "gemini")).toMatchObject({ status: 3, stderr: expect.stringContaining("gantry install") });
    const terminal = runTyped("run", "-a", "gemini", "hello");
    await terminal.reply(`Run ${display} now? [y/N]`, "n");
    expect(await terminal.exit).toBe(3);
  },
  SLOW,
);

test(
  "terminal shows a terminal of the daemon, and exits as what ran in it",
  async () => {
    const terminal = runTyped("terminal", "--", "/bin/sh", "-c", "stty size; pwd; read line; echo got $line; exit 5");
    await terminal.reply(home, "héllo");
    expect(await terminal.exit).toBe(5);
    expect(terminal.seen()).toContain("40 100");
    expect(terminal.seen()).toContain("got héllo");
    const inPipe = runPiped("terminal", "--", "/bin/sh", "-c", "echo one; exit 3");
    expect(inPipe).toMatchObject({ status: 3, stdout: "one\r\n" });
  },
  SLOW,
);
