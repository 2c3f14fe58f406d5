import { existsSync, lstatSync, readFileSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { TestLanes } from "../testing/test-lanes.ts";

vi.setConfig({ testTimeout: 60_000 });
const made: TestLanes[] = [];
afterEach(async () => {
  for (const one of made.splice(0)) await one.dispose();
});

function start(laneFile?: string): TestLanes {
  const test = new TestLanes();
  made.push(test);
  if (laneFile !== undefined) test.repo.commit({ ".gantry/lane.yml": laneFile });
  return test;
}

describe("copied files", () => {
  it("copies the untracked files that the globs name and overwrites nothing", async () => {
    const { lanes, repo, cwd } = start('copy: [.env, ".env.*", "**/secret", config/]\n');
    repo.commit({ ".gitignore": ".env*\nsecret\nnode_modules\n", ".env.example": "tracked", "app/x": "1" }, cwd);
    repo.git("add", "-f", ".env.example");
    repo.write({ ".env": "A=1\n", ".env.local": "B=2\n", "app/secret": "s", "node_modules/x": "1", other: "no" });
    symlinkSync("../elsewhere", join(cwd, ".env.link"));
    const { lane } = await lanes.create({ cwd, name: "one" });
    expect(readFileSync(join(lane.path, ".env"), "utf8")).toBe("A=1\n");
    expect(readFileSync(join(lane.path, ".env.local"), "utf8")).toBe("B=2\n");
    expect(readFileSync(join(lane.path, "app/secret"), "utf8")).toBe("s");
    expect(readlinkSync(join(lane.path, ".env.link"))).toBe("../elsewhere");
    expect([existsSync(join(lane.path, "other")), existsSync(join(lane.path, "node_modules"))]).toEqual([false, false]);
    expect(lane).toMatchObject({ dirty: false, notices: [] });
    const bare = (await lanes.create({ cwd, name: "two", setup: false })).lane;
    expect(existsSync(join(bare.path, ".env"))).toBe(false);
  });

  it("does not copy through a link that leads out of the lane", async () => {
    const { lanes, repo, cwd, home } = start('copy: ["out/*"]\n');
    symlinkSync(home, join(cwd, "out"));
    repo.commit({ ".gitignore": "" });
    repo.git("rm", "-q", "--cached", "out");
    rmSync(join(cwd, "out"));
    repo.write({ "out/x": "1" });
    const { lane } = await lanes.create({ cwd, name: "one" });
    expect(lstatSync(join(lane.path, "out")).isSymbolicLink()).toBe(true);
    expect(lane.notices).toEqual([expect.stringContaining("out/x was not copied")]);
    expect(existsSync(join(home, "x"))).toBe(false);
  });
});

describe("the set-up", () => {
  it("runs in the lane with its ports, shows its output and can run again", async () => {
    const { lanes, cwd } = start(
      'setup: "echo port $GANTRY_PORT in $PWD; echo done > ready; test -e fail && exit 3; true"\nports: 3\n',
    );
    const { lane } = await lanes.create({ cwd, name: "one" });
    expect((lane.ports?.end ?? 0) - (lane.ports?.start ?? 0)).toBe(2);
    expect(await lanes.waitForSettled(lane.id)).toMatchObject({
      setup: { state: "ok", exitCode: 0, endedAt: expect.any(String) },
    });
    expect(lanes.setupLog(lane.id)).toMatchObject({ state: "ok", log: `port ${lane.ports?.start} in ${lane.path}\n` });
    expect(readFileSync(join(lane.path, "ready"), "utf8")).toBe("done\n");
    writeFileSync(join(lane.path, "fail"), "");
    expect(await lanes.setUp(lane.id)).toMatchObject({ state: "running" });
    expect(await lanes.waitForSettled(lane.id)).toMatchObject({
      state: "ready",
      setup: { state: "failed", exitCode: 3 },
    });
  });

  it("ends a command that exceeds its timeout with its children; the lane stays usable", async () => {
    const { lanes, cwd } = start('setup: "echo begun; sleep 600 & sleep 600"\ntimeoutSeconds: 0.5\n');
    const { lane } = await lanes.create({ cwd, name: "one" });
    expect(lane).toMatchObject({ state: "ready", setup: { state: "running" } });
    await expect(lanes.setUp(lane.id)).rejects.toMatchObject({ code: "conflict" });
    await expect(lanes.remove(lane.id, {})).rejects.toMatchObject({ code: "lane_in_use" });
    expect((await lanes.waitForSettled(lane.id)).setup).toMatchObject({ state: "timeout" });
    expect(lanes.setupLog(lane.id).log).toBe("begun\n");
    expect((await lanes.remove(lane.id, {})).removed).toBe(true);
  });

  it("ends a command that prints too much and reports why", async () => {
    const { lanes, cwd } = start('setup: "yes gantry"\n');
    const { lane } = await lanes.create({ cwd, name: "one" });
    expect((await lanes.waitForSettled(lane.id)).setup.state).toBe("failed");
    const { log, bytes } = lanes.setupLog(lane.id);
    expect(log).toMatch(/gantry\n[\s\S]*Ended by Gantry: it printed more than 64 MB\.\n$/);
    expect(bytes).toBeLessThan(1_000_000);
  });

  it("ends the command when the daemon stops and reports it", async () => {
    const { lanes, cwd, jobs } = start('setup: "sleep 600"\n');
    const { lane } = await lanes.create({ cwd, name: "one" });
    await expect.poll(() => lanes.record(lane.id)?.setup.startedAt).toBeDefined();
    await lanes.stop();
    await jobs.stop();
    expect(lanes.record(lane.id)).toMatchObject({
      setup: { state: "failed" },
      notices: [expect.stringContaining("stopped")],
    });
  });

  it("throws unsupported where the repository has no set-up command", async () => {
    const { lanes, cwd } = start();
    const { lane } = await lanes.create({ cwd, name: "one" });
    await expect(lanes.setUp(lane.id)).rejects.toMatchObject({ code: "unsupported" });
    expect(lanes.setupLog(lane.id)).toEqual({ state: "none", log: "", bytes: 0 });
  });
});

describe("the file .gantry/lane.yml", () => {
  it.each([
    ["setup: 1\n\ncolour: blue\n", [1, 3]],
    ['copy: [ok, "../up"]\n', [1]],
    ["copy: [a\nsetup: x\n", [2]],
  ])("refuses mistakes with their line numbers: %j", async (text, lines) => {
    const { lanes, cwd, repo } = start(text);
    const refused = await lanes.create({ cwd, name: "one" }).catch((error) => error);
    expect(refused).toMatchObject({
      code: "invalid",
      message: expect.stringContaining(".gantry/lane.yml:"),
      remedy: expect.stringContaining("--no-setup"),
    });
    expect(refused.details.map((one: { line: number }) => one.line)).toEqual(lines);
    expect(repo.git("worktree", "list").split("\n").length).toBe(1);
    expect((await lanes.create({ cwd, name: "one", setup: false })).lane.state).toBe("ready");
  });

  it("uses a file that is not committed", async () => {
    const { lanes, cwd, repo } = start();
    repo.write({ ".gantry/lane.yml": "setup: echo hello\n" });
    const { lane } = await lanes.create({ cwd, name: "one" });
    expect((await lanes.waitForSettled(lane.id)).setup.state).toBe("ok");
    expect(lanes.setupLog(lane.id).log).toBe("hello\n");
  });
});

describe("submodules", () => {
  it("fills submodules from the primary work tree, keeps the remote and reports missing ones", async () => {
    const { lanes, cwd, repo } = start();
    const library = join(repo.top, "library");
    const inner = join(repo.top, "inner");
    for (const path of [library, inner]) repo.git("clone", "-q", cwd, path);
    const file = ["-c", "protocol.file.allow=always"];
    repo.gitIn(library, ...file, "submodule", "add", "-q", inner, "deep");
    repo.gitIn(library, "commit", "-qm", "deep");
    repo.git(...file, "submodule", "add", "-q", library, "lib with space");
    repo.git(...file, "submodule", "add", "-q", inner, "absent");
    repo.git(...file, "submodule", "update", "-q", "--init", "--recursive");
    repo.git("commit", "-qm", "submodules");
    rmSync(join(cwd, ".git/modules/absent"), { recursive: true });
    // Without a network the remotes cannot be reached.
    rmSync(library, { recursive: true });
    const { lane } = await lanes.create({ cwd, name: "one" });
    expect(readFileSync(join(lane.path, "lib with space/deep/README.md"), "utf8")).toBe("hello\n");
    expect(repo.gitIn(join(lane.path, "lib with space"), "remote", "get-url", "origin")).toBe(library);
    expect(repo.git("config", "submodule.lib with space.url")).toBe(library);
    expect(lane).toMatchObject({ dirty: false, notices: [expect.stringContaining("The submodule absent is empty")] });
    expect((await lanes.remove(lane.id, {})).removed).toBe(true);
    expect(repo.git("worktree", "list").split("\n").length).toBe(1);
  });

  it("keeps a lane whose submodule has unpushed commits, even with force", async () => {
    const { lanes, cwd, repo } = start();
    const library = join(repo.top, "library");
    repo.git("clone", "-q", cwd, library);
    repo.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", library, "lib");
    repo.git("commit", "-qm", "submodule");
    const { lane } = await lanes.create({ cwd, name: "one" });
    const inside = join(lane.path, "lib");
    repo.commit({ new: "1" }, inside);
    const removal = lanes.remove(lane.id, { force: true });
    await expect(removal).rejects.toMatchObject({ code: "lane_dirty", message: expect.stringContaining("lib") });
    expect(existsSync(join(inside, "new"))).toBe(true);
  });
});
