import { chmodSync, existsSync, readdirSync, readFileSync, readlinkSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LINUX, needs } from "@gantry/testkit";
import { describe, expect, it } from "vitest";
import { exitOf, readExit } from "./exit.ts";
import { groupAlive, isAlive, members, parsePsLine, startToken } from "./identity.ts";
import { launch, startFailure } from "./launcher.ts";
import { findStarter } from "./starter/starter.ts";
import { exitOfDir, files, outputOf, playground, waitUntil } from "./testing/playground.ts";

const { home, request, agent, started } = playground();

async function failureOf(bin: string, more = {}) {
  const result = await launch(request(bin, [], more));
  return result.ok ? undefined : result.failure.code;
}

function file(content: string | Buffer, mode: number): string {
  const path = join(home(), "tool");
  writeFileSync(path, content);
  chmodSync(path, mode);
  return path;
}

function openFiles(pid: number): { fd: number; target: string; inherited: boolean }[] {
  const numbers = readdirSync(`/proc/${pid}/fd`).filter((fd) => existsSync(`/proc/${pid}/fdinfo/${fd}`));
  return numbers.map((fd) => {
    const flags = /flags:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/fdinfo/${fd}`, "utf8"))?.[1] ?? "0";
    const inherited = (Number.parseInt(flags, 8) & 0o2000000) === 0;
    return { fd: Number(fd), target: readlinkSync(`/proc/${pid}/fd/${fd}`), inherited };
  });
}

describe("launch", () => {
  it("returns a failure for a binary that cannot be started", async () => {
    expect(await failureOf("/nowhere/agent")).toBe("missing");
    expect(await failureOf("no-such-agent-anywhere")).toBe("missing");
    expect(await failureOf(file("#!/bin/sh\n", 0o644))).toBe("not_executable");
    expect(await failureOf(file("", 0o755))).toBe("not_executable");
    expect(await failureOf(file(Buffer.from([1, 2, 0, 3, 0]), 0o755))).toBe("not_executable");
    expect(await failureOf("/bin")).toBe("not_executable");
    expect(await failureOf("/bin/sh", { cwd: "/nowhere" })).toBe("bad_cwd");
    expect(await failureOf("/bin/sh", { cwd: file("", 0o644) })).toBe("bad_cwd");
  });

  it("returns a failure for arguments that are too long", async () => {
    const result = await launch(request("/bin/sh", ["-c", "x".repeat(4 << 20)]));
    expect(result).toMatchObject({ ok: false, failure: { code: "failed" } });
  });

  it("recognises later what only running it could show", async () => {
    const { dir } = await started(request(file("#!/nowhere/interpreter\n", 0o755), []));
    const exit = await exitOfDir(dir);
    const stderr = readFileSync(files(dir).err, "utf8");
    expect(startFailure(exit, outputOf(dir), stderr)).toMatchObject({
      code: expect.stringMatching(/missing|not_exec/),
    });
    const wrong = file(Buffer.from("7f454c4602010100000000000000000003000000", "hex"), 0o755);
    const other = await started(request(wrong, []));
    const late = startFailure(await exitOfDir(other.dir), "", readFileSync(files(other.dir).err, "utf8"));
    expect(late).toMatchObject({ code: "not_executable" });
  });

  it("does not take a failure of the agent itself for a failure to start", () => {
    expect(startFailure({ code: 1, signal: null }, "", "sh: 1: x: not found")).toBeUndefined();
    expect(startFailure({ code: 127, signal: null }, "hello", "")).toBeUndefined();
  });

  it("passes arguments, folder and environment untouched, and nothing else", async () => {
    const strange = ["a b", "$(touch /tmp/x)", "'\"\\", "", "*", "-n", "é\nü"];
    const code =
      "console.log(JSON.stringify([process.argv.slice(1), process.cwd(), process.env.GREETING, process.env.HOME]))";
    const cwd = home();
    const env = { PATH: process.env.PATH ?? "", GREETING: "good day" };
    const { dir } = await started(request("node", ["-e", code, "--", ...strange], { cwd, env }));
    expect(await exitOfDir(dir)).toEqual({ code: 0, signal: null });
    expect(JSON.parse(outputOf(dir))).toEqual([strange, cwd, "good day", null]);
  });

  it("keeps files to the owner, and the exit status of one that ends at once", async () => {
    const { dir, pid, startedAt } = await agent("echo out; echo err >&2; exit 7");
    expect(await exitOfDir(dir)).toEqual({ code: 7, signal: null });
    await waitUntil(() => !isAlive({ pid, startedAt }), "end");
    expect(outputOf(dir)).toBe("out\n");
    expect(readFileSync(files(dir).err, "utf8")).toBe("err\n");
    for (const name of ["in", "out", "err", "exit"]) expect(statSync(join(dir, name)).mode & 0o777).toBe(0o600);
  });

  it("reads stdin from a file where one is given", async () => {
    const prompt = file("the prompt\nwithout line end", 0o600);
    const { dir } = await started(request("cat", [], { stdin: { file: prompt } }));
    expect(await exitOfDir(dir)).toEqual({ code: 0, signal: null });
    expect(outputOf(dir)).toBe("the prompt\nwithout line end");
  });

  it("writes the status when a signal to the whole group ends the agent, which has default dispositions", async () => {
    for (const signal of ["SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT"] as const) {
      const { dir, pgid } = await agent("ulimit -c 0; echo up; exec sleep 1000");
      await waitUntil(() => outputOf(dir) === "up\n", "start");
      process.kill(-pgid, signal);
      expect(await exitOfDir(dir)).toEqual({ code: null, signal });
    }
  });

  it("starts the agent in a separate process group and session", async () => {
    const { pid, pgid, id, startedAt } = await agent("sleep 1000 & exec sleep 1000");
    expect(pgid).toBe(pid);
    expect(isAlive({ pid, startedAt })).toBe(true);
    await waitUntil(() => members(pgid, id).length === 3, "shell and two members");
    expect(members(pgid, id).every((one) => one.marker === id && one.pgid === pgid)).toBe(true);
    expect(groupAlive(pgid)).toBe(true);
  });

  it.runIf(LINUX.met)(
    "passes no file descriptor to the agent except stdin, stdout and stderr",
    needs(LINUX),
    async () => {
      const { dir, pgid, id } = await agent("echo up; exec sleep 1000");
      await waitUntil(() => outputOf(dir) === "up\n", "start");
      const [sleeper] = await waitUntil(() => {
        const found = members(pgid, id).filter((one) => readFileSync(`/proc/${one.pid}/comm`, "utf8") === "sleep\n");
        return found.length > 0 ? found : undefined;
      }, "sleep");
      await waitUntil(
        () => !openFiles(sleeper!.pid).some(({ target }) => target.startsWith("/usr") || target.startsWith("/lib")),
        "the loader",
      );
      const open = openFiles(sleeper!.pid).map(({ target }) => target);
      // A shell cannot close descriptors with more than one digit; the starter can.
      const isLeft = ({ fd, inherited }: { fd: number; inherited: boolean }) => fd > 9 && inherited;
      const handedDown = findStarter() ? [] : openFiles(process.pid).filter(isLeft);
      expect(open.slice(0, 3)).toEqual([files(dir).in, files(dir).out, files(dir).err]);
      expect(open.slice(3)).toEqual(handedDown.map(({ target }) => target));
    },
  );
});

describe("identity", () => {
  it("does not take another process with the same number for this one", () => {
    const startedAt = startToken(process.pid)!;
    expect(isAlive({ pid: process.pid, startedAt })).toBe(true);
    expect(isAlive({ pid: process.pid, startedAt: `${startedAt}1` })).toBe(false);
    expect(isAlive({ pid: 2 ** 22 + 1, startedAt })).toBe(false);
  });

  it("reads the lines of ps", () => {
    const line = "  501     1   500 S+   Mon Nov  2 09:05:01 2026 node x.js TERM=xterm GANTRY_PROCESS=prc_1 HOME=/x";
    expect(parsePsLine(line)).toEqual([
      { pid: 501, parent: 1, pgid: 500, startedAt: "Mon Nov 2 09:05:01 2026", marker: "prc_1" },
    ]);
    expect(parsePsLine("  501     1   500 Z    Mon Nov  2 09:05:01 2026 <defunct>")).toEqual([]);
    expect(parsePsLine("")).toEqual([]);
  });
});

describe("exit", () => {
  it("reads 128 + n as death by signal n, and other numbers as codes", () => {
    expect(exitOf(143)).toEqual({ code: null, signal: "SIGTERM" });
    expect(exitOf(137)).toEqual({ code: null, signal: "SIGKILL" });
    expect(exitOf(255)).toEqual({ code: 255, signal: null });
    expect(exitOf(0)).toEqual({ code: 0, signal: null });
  });

  it("knows no exit before it is whole", () => {
    const dir = home();
    expect(readExit(dir)).toBeUndefined();
    writeFileSync(join(dir, "exit"), "14");
    expect(readExit(dir)).toBeUndefined();
  });
});
