import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { needs, SANDBOX } from "@gantry/testkit";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ShellRunner } from "../../contract/ports.ts";
import { READING_COMMANDS } from "../../permissions/bash/testing/reading-commands.ts";
import { findSandbox } from "../../sandbox/sandbox.ts";
import { type Exec, startExec } from "../testing/exec-context.ts";
import { Jobs } from "./jobs.ts";
import { createShell } from "./shell.ts";

const sandbox = await findSandbox("auto");
let exec: Exec;
beforeEach(() => {
  exec = startExec();
});
afterEach(() => exec.close());
const bash = (command: string, more: Record<string, unknown> = {}, signal?: AbortSignal) =>
  exec.call("bash", { command, ...more }, signal);

/** Processes whose arguments hold this text. */
function findProcesses(text: string): string[] {
  const { stdout } = spawnSync("ps", ["-eo", "args"], { encoding: "utf8" });
  return stdout.split("\n").filter((line) => line.includes(text));
}
async function waitUntil(holds: () => boolean): Promise<void> {
  while (!holds()) await pause(10);
}

describe("bash", () => {
  it("returns the output in order, and the exit code as an error", async () => {
    expect((await bash("echo out; echo err >&2; echo again")).text).toBe("out\nerr\nagain");
    const failed = await bash("echo x; exit 3");
    expect(failed).toMatchObject({ isError: true, text: "x\nCommand exited with code 3" });
    expect((await bash("true")).text).toBe("(no output)");
    expect((await bash("no-such-program-here")).text).toContain("Command exited with code 127");
    expect((await bash("kill -9 $$")).text).toContain("Command exited with code 137");
  });

  it("carries folder, variables, functions and aliases over to the next command", async () => {
    mkdirSync(join(exec.cwd, "sub folder"));
    await bash(
      "cd 'sub folder'; export A=$'one\\ntwo'; b='it'\"'\"'s'; arr=(1 '2 3'); f() { echo \"f $1\"; }; alias hi='echo hello'",
    );
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is bash's
    expect((await bash('pwd; printenv A; echo "$b" "${arr[1]}"; f x; hi')).text).toBe(
      `${exec.cwd}/sub folder\none\ntwo\nit's 2 3\nf x\nhello`,
    );
    expect(exec.shell.cwd).toBe(`${exec.cwd}/sub folder`);
    expect((await bash("exit 4")).isError).toBe(true);
    expect((await bash("f y; cd ..; unset b")).text).toBe("f y");
    expect((await bash('pwd; echo "[$b]"')).text).toBe(`${exec.cwd}\n[]`);
  });

  it("applies env and cwd to one command only", async () => {
    mkdirSync(join(exec.cwd, "sub"));
    const once = await bash("pwd; echo $ONCE", { cwd: "sub", env: { ONCE: "it's $HOME" } });
    expect(once.text).toBe(`${exec.cwd}/sub\nit's $HOME`);
    expect((await bash("pwd; echo [$ONCE]")).text).toBe(`${exec.cwd}\n[]`);
    await expect(bash("ls", { cwd: "nowhere" })).rejects.toThrow("There is no folder");
  });

  it("starts in the session's folder, with a note, when its folder no longer exists", async () => {
    mkdirSync(join(exec.cwd, "gone"));
    await bash("cd gone");
    rmSync(join(exec.cwd, "gone"), { recursive: true });
    expect((await bash("pwd")).text).toContain(`${exec.cwd}/gone no longer exists`);
  });

  it("closes stdin, and exposes neither keys nor its internal variables", async () => {
    await exec.close();
    exec = startExec({ env: { PATH: process.env.PATH, OPENAI_API_KEY: "sk-1", PLAIN: "yes" } });
    expect((await bash("cat; echo done")).text).toBe("done");
    const { text } = await bash("env");
    expect(text).not.toMatch(/sk-1|__gantry/);
    expect(text).toContain("PLAIN=yes");
    expect(text).toContain("GANTRY_SESSION_ID=ses_test");
  });

  it("kills the whole group on a timeout, and processes that left the group", async () => {
    const name = `31${process.pid}`;
    const command = `trap '' TERM; X=lost; (setsid sleep ${name}1 &); sleep ${name}2 & sleep ${name}3`;
    await bash("X=before");
    exec.mode = "full-auto";
    const result = await bash(command, { timeout: 1 });
    expect(result.text).toContain("Command timed out after 1 seconds");
    expect(result.text).toContain("The shell was ended with the command");
    await waitUntil(() => findProcesses(`sleep ${name}`).length === 0);
    expect((await bash("echo $X")).text).toBe("before");
  });

  it("leaves no process behind outside of a sandbox either", async () => {
    await exec.close();
    exec = startExec({ sandbox: "off" });
    const name = `32${process.pid}`;
    await bash(`(setsid sleep ${name}1 &); sleep ${name}2 & sleep ${name}3`, { timeout: 1 });
    expect(findProcesses(`sleep ${name}`)).toEqual([]);
    expect((await bash(`sleep ${name}4 & echo started`)).text).toBe("started");
    await waitUntil(() => findProcesses(`sleep ${name}`).length === 0);
  });

  it("stops on an abort, and streams the output until then", async () => {
    const stop = new AbortController();
    const work = bash(`echo first; sleep 33${process.pid}`, {}, stop.signal);
    await waitUntil(() => exec.progress.includes("first"));
    stop.abort();
    expect(await work).toMatchObject({ isError: true, text: expect.stringMatching(/^first\n[\s\S]*Command aborted$/) });
    expect(findProcesses(`sleep 33${process.pid}`)).toEqual([]);
  });

  it("holds a hundred megabytes in bounded memory without blocking the event loop", async () => {
    let ticks = 0;
    const clock = setInterval(() => ticks++, 5);
    const before = process.memoryUsage().rss;
    let most = 0;
    const watch = setInterval(() => {
      most = Math.max(most, process.memoryUsage().rss - before);
    }, 5);
    const { text, details } = await bash("head -c 100000000 /dev/zero | tr '\\0' 'x' | fold -w 99; echo the end");
    clearInterval(clock);
    clearInterval(watch);
    expect(text).toContain("the end");
    expect(text).toMatch(/^\[The last \d+ of \d+ lines; whole output: artifact:\/\/0\]/);
    expect(text.length).toBeLessThan(52_000);
    expect(details).toMatchObject({ totalBytes: expect.any(Number), truncated: true });
    expect(exec.artifacts[0]).toContain("bytes left out");
    expect(exec.progress.length).toBeLessThan(1_300_000);
    expect(most).toBeLessThan(150e6);
    expect(ticks).toBeGreaterThan(5);
  });

  it("stores the whole of an output that is slightly too long", async () => {
    const { text } = await bash("seq 1 30000");
    expect(exec.artifacts[0]).toBe(Array.from({ length: 30_000 }, (_, at) => `${at + 1}\n`).join(""));
    expect(text.endsWith("29999\n30000")).toBe(true);
  });

  it("strips terminal sequences, and survives invalid UTF-8", async () => {
    expect((await bash("printf '\\033[31mred\\033[0m\\n10%%\\r20%%\\n\\xff\\xfe\\n'")).text).toBe(
      "red\n20%\n\uFFFD\uFFFD",
    );
  });

  it("provides a terminal on request", async () => {
    expect((await bash("test -t 1 && echo yes || echo no")).text).toBe("no");
    expect((await bash("test -t 1 && echo yes || echo no", { pty: true })).text).toBe("yes");
    await bash("IN=pty", { pty: true });
    expect((await bash("echo $IN")).text).toBe("pty");
  });

  it("accepts commands longer than an argument may be, and invalid ones", async () => {
    expect((await bash(`echo ${"x".repeat(300_000)} | wc -c`)).text.trim()).toBe("300001");
    for (const nonsense of ["(((", "echo '", "\u0000", "}", "exec", "trap"]) await bash(nonsense);
    expect((await bash("echo alive")).text).toBe("alive");
  });

  it("reports the actions of a command before it runs", () => {
    const tool = exec.tools.find(({ name }) => name === "bash")!;
    const prepare = (args: unknown) => tool.prepare(args, { cwd: exec.cwd, folders: [], env: {} });
    expect(prepare({ command: "ls" })).toMatchObject({ title: "ls", actions: [{ kind: "bash.readonly" }] });
    expect(prepare({ command: "ls", env: { PATH: "/tmp" } })).toMatchObject({
      actions: [{}, { kind: "bash.mutating" }],
    });
    expect(prepare({ command: "rm -rf a", cwd: "/" })).toMatchObject({
      actions: [{ kind: "bash.destructive" }, { path: "/a" }],
    });
    expect(prepare({})).toHaveProperty("invalid");
  });

  it("decides about the command of a client as about a call of the model", async () => {
    const tool = exec.tools.find(({ name }) => name === "bash")!;
    await bash("cd /usr; FILE=~/.netrc");
    for (const command of [...READING_COMMANDS, "rm a", "cat $FILE", "sort -of a", "ls > f", "git push --force", "x"]) {
      const prepared = tool.prepare({ command }, exec.context());
      expect(exec.runner.actions(command), command).toEqual("actions" in prepared ? prepared.actions : undefined);
    }
    expect(exec.runner.actions("cat $FILE")).toContainEqual({ kind: "file.read", path: join(exec.cwd, ".netrc") });
  });

  it("runs reading commands without the functions, aliases and risky variables that other commands left", async () => {
    await bash(
      "ls() { echo function; }; alias cat='echo alias'; export PATH=/nowhere:$PATH GIT_PAGER=x; mkdir -p d; file=d",
    );
    expect((await bash("ls; echo $file; cat /dev/null; printenv GIT_PAGER")).text).toBe("d\nd\ncat");
    expect((await bash("other=1; printenv PATH")).text).not.toContain("/nowhere");
    expect((await bash("ls; unknown 2>/dev/null; echo $file $other $GIT_PAGER")).text).toBe("function\nd 1 x");
  });

  it("leaves no files behind", async () => {
    await bash("seq 1 30000; X=1");
    const before = readdirSync(tmpdir()).filter((name) => name.startsWith("gantry-shell-")).length;
    await exec.shell.dispose();
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith("gantry-shell-")).length).toBeLessThan(before);
    expect((await bash("echo x")).text).toContain("Aborted");
  });
});

describe.skipIf(sandbox.kind === "none")(
  `bash in the sandbox (${sandbox.kind === "none" ? sandbox.why : sandbox.kind})`,
  needs(SANDBOX),
  () => {
    it("enforces the mode independently of the classifier", async () => {
      exec.mode = "plan";
      expect((await bash("touch a")).text).toContain("Read-only file system");
      expect((await bash("mktemp && cat <<< here")).text).toContain("here");
      await bash("cd /; V=value");
      exec.mode = "auto-edit";
      expect((await bash(`echo $V; pwd; touch ${exec.cwd}/b`)).text).toBe("value\n/");
      expect(existsSync(join(exec.cwd, "b"))).toBe(true);
      expect(existsSync(join(exec.cwd, "a"))).toBe(false);
    });

    it("does not let a call's variables choose the program that sets up the sandbox", async () => {
      const outside = join(tmpdir(), `gantry-outside-${process.pid}`);
      for (const name of ["bwrap", "sh", "bash", "perl"]) {
        writeFileSync(join(exec.cwd, name), `#!/bin/sh\n/usr/bin/touch ${outside}\n`, { mode: 0o755 });
      }
      const env = { PATH: `${exec.cwd}:/usr/bin:/bin`, LD_PRELOAD: "/none.so", PERL5OPT: "-Mnone" };
      expect((await bash('echo "$PATH"', { env })).text).toContain(`${exec.cwd}:/usr/bin:/bin`);
      expect((await bash("true")).text).toBe("(no output)");
      expect(existsSync(outside)).toBe(false);
    });

    it("hides the agent's folder", async () => {
      mkdirSync(join(exec.cwd, ".gantry/agent"), { recursive: true });
      writeFileSync(join(exec.cwd, ".gantry/agent/auth.json"), "secret");
      expect((await bash("cat .gantry/agent/auth.json")).text).toContain("No such file");
      expect(readFileSync(join(exec.cwd, ".gantry/agent/auth.json"), "utf8")).toBe("secret");
    });
  },
);

describe("the shell of the session", () => {
  it("serves the session's own bash command", async () => {
    const shell: ShellRunner = exec.runner;
    let seen = "";
    const output = (delta: string) => {
      seen += delta;
    };
    const { signal } = new AbortController();
    expect(await shell.run("echo typed; exit 2", { confined: false, signal, output })).toMatchObject({
      exitCode: 2,
      cancelled: false,
    });
    expect(seen).toBe("typed\n");
  });
});

describe("jobs", () => {
  it("run in the background, can be polled, and report their end", async () => {
    await bash("mkfifo go go2");
    expect((await bash("read x < go; echo done $x", { async: true })).text).toBe("Started job-1 in the background.");
    expect((await exec.call("job", { list: true })).text).toContain("job-1: running");
    const second = await bash("echo ready; cat go2", { async: true });
    expect(second.text).toContain("job-2");
    await bash("echo now > go2");
    const polled = await exec.call("job", { poll: ["job-2"] });
    expect(polled.text).toContain("job-2: done");
    expect(polled.text).toContain("ready\nnow");
    expect(exec.notices.join("\n")).toContain("job-2: done");
  });

  it("are cancelled with all their processes; an unknown id is an error", async () => {
    const name = `34${process.pid}`;
    await bash(`sleep ${name} & sleep ${name}`, { async: true });
    await waitUntil(() => findProcesses(`sleep ${name}`).length > 0);
    expect((await exec.call("job", { cancel: ["job-1"] })).text).toContain("job-1: cancelled");
    expect(findProcesses(`sleep ${name}`)).toEqual([]);
    await expect(exec.call("job", { poll: ["job-9"] })).rejects.toThrow("There is no job job-9.");
  });

  it("report their start, the address of a server, and one end each", async () => {
    const seen: string[] = [];
    const listening = startExec({
      jobs: {
        onStart: ({ id, toolCallId }) => seen.push(`${id} of ${toolCallId}`),
        onUrl: ({ url }) => seen.push(url ?? ""),
        onEnd: ({ id, status, outcome }) => seen.push(`${id} ${status} ${outcome?.exitCode}`),
      },
    });
    const run = (command: string) => listening.call("bash", { command, async: true });
    await run("printf 'Local: http://local'; printf 'host:51'; printf '73/app \\nhttp://127.0.0.1:9 '; exit 4");
    await listening.call("job", { poll: ["job-1"] });
    await run("echo see https://example.com:443/; sleep 600");
    await listening.call("job", { cancel: ["job-2"] });
    expect(seen).toEqual([
      ...["job-1 of call", "http://localhost:5173/app", "job-1 failed 4"],
      ...["job-2 of call", expect.stringMatching(/^job-2 cancelled/)],
    ]);
    await listening.close();
  });

  it("end as failed if their command cannot be started, such as without a folder for temporary files", async () => {
    const ends: (string | undefined)[] = [];
    const shell = createShell({ cwd: exec.cwd, env: {}, sandbox: () => findSandbox("off") });
    const jobs = new Jobs(shell, { onEnd: ({ status, output }) => ends.push(status, output) });
    vi.stubEnv("TMPDIR", "/nowhere");
    const job = jobs.start("true", {});
    vi.unstubAllEnvs();
    await jobs.cancel(job?.id ?? "");
    expect(ends).toEqual(["failed", expect.stringContaining("could not be started: ENOENT")]);
    expect(job?.outcome?.exitCode).toBe(127);
  });

  it("end with the session", async () => {
    const name = `35${process.pid}`;
    await bash(`sleep ${name}`, { async: true });
    await waitUntil(() => findProcesses(`sleep ${name}`).length > 0);
    await exec.dispose();
    expect(findProcesses(`sleep ${name}`)).toEqual([]);
  });
});
