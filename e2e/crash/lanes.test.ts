import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Client, createClient } from "@gantry/client";
import type { Lane } from "@gantry/protocol";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { TestRepository, testGitEnvironment } from "../../packages/runtime/src/lanes/testing/test-repository.ts";
import { type DaemonProcess, startDaemonProcess } from "../harness/daemon-process.ts";
import { eventually } from "../harness/wait.ts";

const SLOW = 180_000;
const MOMENTS = ["before", "after"] as const;

let home: string;
let repo: TestRepository;
let daemon: DaemonProcess | undefined;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "gantry-crash-")));
  repo = new TestRepository();
  repo.commit({
    ".gitignore": ".env\nbuilt\n",
    ".gantry/lane.yml": 'copy: [.env]\nsetup: "cat .env > built"\n',
    "a/b": "1\n",
  });
  repo.write({ ".env": "A=1\n", "README.md": "the user's own work\n" });
});
afterEach(async () => {
  await daemon?.end("SIGTERM");
  daemon = undefined;
  repo.remove();
  rmSync(home, { recursive: true, force: true, maxRetries: 5 });
});

/** Starts a daemon that kills itself at this step, if one is given. */
async function start(dieAt?: string): Promise<Client> {
  const env = { ...testGitEnvironment, HOME: home, GANTRY_HOME: join(home, "gantry") };
  daemon = await startDaemonProcess(dieAt ? { ...env, GANTRY_DIE_AT: dieAt } : env);
  const client = createClient({ url: daemon.url, token: daemon.token });
  await client.trust.put({ path: repo.path });
  return client;
}

async function waitForDeath(): Promise<void> {
  const { pid = 0 } = daemon ?? {};
  await eventually("the daemon's death", () => !isRunning(pid));
  daemon = undefined;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

const lanesOf = async (client: Client, archived: "0" | "all" = "all"): Promise<Lane[]> => {
  const { lanes } = await client.call("listLanes", { query: { cwd: repo.path, archived, refresh: "1" } });
  return lanes.filter(({ kind }) => kind !== "primary");
};
const waitForLanes = (client: Client) =>
  eventually("lanes without running work", async () => {
    const lanes = await lanesOf(client);
    const busy = lanes.some(
      ({ state, setup }) => state === "creating" || state === "removing" || setup.state === "running",
    );
    return busy ? undefined : lanes;
  });

/** The git state that an unfinished lane could leave behind. */
const gitState = () => ({
  worktrees: repo.git("worktree", "list", "--porcelain").match(/^worktree /gm)?.length,
  branches: repo.git("branch", "--format=%(refname:short)").split("\n"),
  undo: repo.git("for-each-ref", "--format=%(refname)", "refs/gantry").split("\n").filter(Boolean).length,
  folders: laneFolders(),
});

function laneFolders(): string[] {
  const top = join(home, "gantry", "lanes");
  return existsSync(top) ? readdirSync(top).flatMap((name) => readdirSync(join(top, name))) : [];
}

const userState = () => [repo.git("status", "--porcelain"), repo.git("rev-parse", "HEAD"), repo.git("stash", "list")];

describe("a lane whose creation is killed", () => {
  const steps = ["reserve", "worktree", "files", "setup"];
  it.each(steps.flatMap((step) => MOMENTS.map((moment) => `${step}:${moment}`)))(
    "at %s is finished by the next daemon",
    async (place) => {
      const before = userState();
      const doomed = await start(`lane.create:${place}`);
      const body = { id: "lan_crash", cwd: repo.path, name: "one" };
      await doomed.call("createLane", { body }).catch(() => undefined);
      await waitForDeath();
      const client = await start();
      const [lane, ...others] = await waitForLanes(client);
      expect(others).toEqual([]);
      expect(lane).toMatchObject({
        id: "lan_crash",
        state: "ready",
        dirty: false,
        setup: { state: "ok" },
        missing: [],
      });
      expect(readFileSync(join(lane?.path ?? "", "built"), "utf8")).toBe("A=1\n");
      expect(readFileSync(join(lane?.path ?? "", "a/b"), "utf8")).toBe("1\n");
      expect(gitState()).toEqual({ worktrees: 2, branches: ["gantry/one", "main"], undo: 0, folders: ["one"] });
      expect(userState()).toEqual(before);
      const again = await client.call("createLane", { body });
      expect(again.path).toBe(lane?.path);
      expect((await lanesOf(client)).length).toBe(1);
    },
    SLOW,
  );

  it.each(MOMENTS)(
    "and cannot be created is rolled back, even if the daemon is killed %s the rollback",
    async (moment) => {
      repo.commit({ "a.txt": "missing from the object store" });
      const blob = repo.git("rev-parse", "HEAD:a.txt");
      rmSync(join(repo.path, ".git/objects", blob.slice(0, 2), blob.slice(2)), { force: true });
      const before = userState();
      const doomed = await start(`lane.create:undo:${moment}`);
      await doomed.call("createLane", { body: { cwd: repo.path, name: "one" } }).catch(() => undefined);
      await waitForDeath();
      const client = await start();
      const [lane] = await waitForLanes(client);
      expect(lane).toMatchObject({
        state: "failed",
        missing: [expect.stringMatching(/^git .+ failed: /)],
      });
      expect(gitState()).toEqual({ worktrees: 1, branches: ["main"], undo: 0, folders: [] });
      expect(userState()).toEqual(before);
      await client.call("removeLane", { params: { id: lane?.id ?? "" }, query: {} });
      expect(await lanesOf(client)).toEqual([]);
    },
    SLOW,
  );
});

describe("a lane whose removal is killed", () => {
  const steps = ["check", "stop", "keep", "remove", "branch", "forget"];
  it.each(steps.flatMap((step) => MOMENTS.map((moment) => `${step}:${moment}`)))(
    "at %s is removed after the restart and can be restored in full",
    async (place) => {
      const before = userState();
      const doomed = await start(`lane.remove:${place}`);
      const { id, path } = await doomed.call("createLane", { body: { cwd: repo.path, name: "one" } });
      await waitForLanes(doomed);
      repo.commit({ committed: "1\n" }, path);
      repo.write({ "a/b": "changed\n", "un tracked": "new\n" }, path);
      const work = [repo.gitIn(path, "status", "--porcelain"), repo.gitIn(path, "rev-parse", "HEAD")];
      await doomed.call("removeLane", { params: { id }, query: { force: "1" } }).catch(() => undefined);
      await waitForDeath();
      const client = await start();
      expect(await waitForLanes(client)).toEqual([]);
      expect(gitState()).toEqual({ worktrees: 1, branches: ["main"], undo: 1, folders: [] });
      expect(userState()).toEqual(before);
      const { undos } = await client.call("laneUndos", { query: { cwd: repo.path } });
      expect(undos.map(({ lane }) => lane)).toEqual([id]);
      const back = await client.call("undoLane", { params: { id } });
      expect(back).toMatchObject({ id, path, state: "ready", ahead: 1, dirty: true });
      expect([repo.gitIn(path, "status", "--porcelain"), repo.gitIn(path, "rev-parse", "HEAD")]).toEqual(work);
      expect(readFileSync(join(path, "un tracked"), "utf8")).toBe("new\n");
      expect(userState()).toEqual(before);
    },
    SLOW,
  );
});

it.each(["reserve:after", "worktree:after", "files:before", "files:after"])(
  "a removed lane whose restore is killed at %s exists after the restart",
  async (place) => {
    const first = await start();
    const { id, path } = await first.call("createLane", { body: { cwd: repo.path, name: "one" } });
    await waitForLanes(first);
    repo.commit({ committed: "1\n" }, path);
    repo.write({ "a/b": "changed\n", "un tracked": "new\n" }, path);
    const work = repo.gitIn(path, "status", "--porcelain");
    await first.call("removeLane", { params: { id }, query: { force: "1" } });
    await daemon?.end("SIGTERM");
    const doomed = await start(`lane.create:${place}`);
    await doomed.call("undoLane", { params: { id } }).catch(() => undefined);
    await waitForDeath();
    const client = await start();
    const [lane] = await waitForLanes(client);
    expect(lane).toMatchObject({ id, path, state: "ready", ahead: 1, branch: "gantry/one" });
    expect(repo.gitIn(path, "status", "--porcelain")).toBe(work);
    expect(gitState()).toEqual({ worktrees: 2, branches: ["gantry/one", "main"], undo: 0, folders: ["one"] });
    expect((await client.call("laneUndos", { query: { cwd: repo.path } })).undos).toEqual([]);
  },
  SLOW,
);
