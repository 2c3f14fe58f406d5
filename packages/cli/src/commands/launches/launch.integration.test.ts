import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Comparison, Landing, Launch, Session } from "@gantry/protocol";
import { afterAll, expect, test } from "vitest";
import { TestRepository } from "../../../../runtime/src/lanes/testing/test-repository.ts";
import { commandLine } from "../../command-line.harness.ts";

const home = realpathSync(mkdtempSync(join(tmpdir(), "gantry-launch-")));
const repo = new TestRepository();
const cwd = repo.path;
repo.git("config", "user.name", "Ada");
repo.git("config", "user.email", "ada@example.com");
const gantry = commandLine(home);
const SLOW = 240_000;

afterAll(async () => {
  await gantry(["stop", "--release"]);
  repo.remove();
  rmSync(home, { recursive: true, force: true, maxRetries: 5 });
}, SLOW);

const both = ["-a", "scripted::full-auto", "-a", "scripted::full-auto"];
const read = async <T>(...args: string[]) => JSON.parse((await gantry([...args, "--json"], { cwd })).stdout) as T;

test(
  "launches, compares and lands agents",
  async () => {
    const made = await gantry(["launch", ...both, "--name", "greet", "[[named]] hello"], { cwd });
    // The first command starts the daemon, and reports that if it takes a while.
    expect(made).toMatchObject({ status: 0, stderr: expect.stringMatching(/^(The daemon is starting\.\n)?$/) });
    expect(made.stdout).toMatch(/scripted +✓ Done +greet-scripted .*\n.*scripted +✓ Done +greet-scripted-2/);
    expect((await gantry(["launches"], { cwd })).stdout).toMatch(/✓ Done +scripted, scripted +\[\[named\]\] hello/);
    const compared = await gantry(["compare", "last", "--patch"], { cwd });
    expect(compared.stdout).toContain("+by greet-scripted-2");
    const some = await read<Comparison>("compare", "greet-scripted", "greet-scripted-2");
    expect(some.lanes.map(({ diff }) => diff.files.length)).toEqual([1, 1]);
    expect((await gantry(["lanes", "conflicts"], { cwd })).stdout).toMatch(/1\. greet-scripted +shares no file/);

    repo.write({ "README.md": "mine\n" });
    const refused = await gantry(["lanes", "land", "greet-scripted"], { cwd });
    expect([refused.status, refused.stderr]).toEqual([expect.any(Number), expect.stringContaining("README.md")]);
    expect(refused.status).not.toBe(0);
    repo.git("checkout", "-q", "README.md");
    const landing = await read<Landing>("lanes", "land", "greet-scripted", "--how", "squash", "-m", "Greet");
    expect(landing).toMatchObject({
      state: "done",
      into: "main",
      told: [{ name: "greet-scripted-2", state: "clean" }], // prose-ignore: field of the API
    });
    expect(repo.git("log", "-1", "--format=%s")).toBe("Greet");
    expect((await gantry(["lanes", "update", "greet-scripted-2"], { cwd })).stderr).toContain("--dirty");
    expect((await gantry(["lanes", "unland"], { cwd })).stdout).toContain("main is back at");
    expect((await gantry(["lanes", "landings"], { cwd })).stdout).toMatch(/undone +greet-scripted +squash into main/);
  },
  SLOW,
);

test(
  "the exit code is the outcome; a waiting launch can be cancelled",
  async () => {
    expect((await gantry(["launch", "hello"], { cwd })).status).toBe(2);
    expect((await gantry(["launch", "-a", "missing", "hello"], { cwd })).stderr).toContain("missing");
    const waiting = await gantry(["launch", "-a", "scripted", "--id", "lau_ask", "[[write]] hello"], { cwd });
    expect([waiting.status, waiting.stdout]).toEqual([4, expect.stringContaining("gantry inbox")]);
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "gantry-library-")));
    const more = await read<Launch>("launch", "-a", "scripted", "--add-dir", folder, "[[text]] in two folders");
    expect(await read<Session>("show", more.slots[0]?.session ?? "")).toMatchObject({ folders: [folder] });
    rmSync(folder, { recursive: true });
    const cancelled = await read<Launch>("launches", "cancel", "lau_ask");
    expect(cancelled.state).toBe("cancelled");
    const failed = await gantry(["launch", ...both, "[[error]] hello"], { cwd });
    expect(failed.status).toBe(1);
    const proposed = await gantry(["__complete", "--", "launches", "show", "lau_as"], { cwd });
    expect(proposed.stdout).toContain("lau_ask");
  },
  SLOW,
);

// The last test: the limit holds later sessions of the agent too.
test(
  "a launch that a limit holds is listed as held until the limit ends",
  async () => {
    const prompt = "[[refuse:rate_limit:Try again in 3600s.]] hello";
    await gantry(["launch", ...both, "--detach", "--id", "lau_held", prompt], { cwd });
    const list = async () => (await gantry(["launches"], { cwd })).stdout;
    await expect.poll(list, { timeout: 60_000, interval: 500 }).toMatch(/Held · 2 of 2, until .*\d+:\d+/);
    expect((await gantry(["launches", "show", "lau_held"], { cwd })).stdout).toMatch(/Held · until/);
  },
  SLOW,
);
