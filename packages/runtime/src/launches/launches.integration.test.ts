import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { CreateLaunch, Envelope, Launch } from "@gantry/protocol";
import { afterEach, beforeEach, expect, it } from "vitest";
import { TestRepository, testGitEnvironment } from "../lanes/testing/test-repository.ts";
import { TestDaemon } from "../test-daemon.ts";

let repository: TestRepository;
let daemon: TestDaemon;

beforeEach(async () => {
  repository = new TestRepository();
  const { HOME, ...identity } = testGitEnvironment;
  daemon = await new TestDaemon({ env: identity }).start();
});
afterEach(async () => {
  await daemon.dispose();
  repository.remove();
});

const body = (more: Partial<CreateLaunch> = {}): CreateLaunch => ({
  prompt: "[[named]] Fix the failing login test please",
  cwd: repository.path,
  slots: [
    { agent: "scripted", mode: "full-auto", count: 2 },
    { agent: "claude", mode: "full-auto" },
  ],
  ...more,
});

async function until(id: string, wanted: (launch: Launch) => boolean): Promise<Launch> {
  for (const end = Date.now() + 60_000; ; await sleep(30)) {
    const launch = await daemon.client.launches.get(id);
    if (wanted(launch)) return launch;
    if (Date.now() > end) throw new Error(`timed out: ${JSON.stringify(launch)}`);
  }
}

const waitForSettled = (id: string) => until(id, ({ state }) => state === "settled");

/** The state of the user's checkout. */
function checkout(): unknown {
  const { path } = repository;
  return [
    readFileSync(join(path, ".git", "HEAD"), "utf8"),
    readFileSync(join(path, ".git", "index")).toString("base64"),
    repository.git("status", "--porcelain"),
    repository.git("rev-parse", "main"),
  ];
}

it("sends one prompt to several agents in separate lanes, compares them, lands one and notifies the others", async () => {
  const { client } = daemon;
  const before = checkout();
  const made = await client.launches.create(body());
  expect(made.slots.map(({ name }) => name)).toEqual([
    "named-fix-the-failing-scripted",
    "named-fix-the-failing-scripted-2",
    "named-fix-the-failing-claude",
  ]);
  const launch = await waitForSettled(made.id);
  expect(launch.slots.map(({ state, outcome }) => [state, outcome])).toEqual(Array(3).fill(["done", "completed"]));
  expect(checkout()).toEqual(before);
  expect(await client.launches.list()).toEqual([launch]);

  const comparison = await client.launches.compare(launch.id);
  expect(comparison.base).toEqual({ ref: "main", commit: repository.git("rev-parse", "main") });
  expect(comparison.lanes.map(({ diff }) => diff.files.map(({ path }) => path))).toEqual(
    launch.slots.map(({ name }) => [`${name}.txt`]),
  );
  expect(comparison.lanes[0]).toMatchObject({
    agents: [{ agent: "scripted" }],
    state: "idle",
    outcome: "completed",
    turns: 1,
    commands: [{ status: "ok", exitCode: 0, command: expect.stringContaining("basename") }],
    last: "Done: named file.",
  });
  expect(comparison.lanes[0]?.diff.patch).toContain("+by named-fix-the-failing-scripted");
  expect(comparison.overlap).toEqual([]);

  const [one, two, three] = launch.slots;
  const landing = await client.landings.land(one?.lane ?? "", { how: "squash" });
  const others = landing.told; // prose-ignore: API field
  expect(others.map(({ lane, state }) => [lane, state])).toEqual([
    [two?.lane, "clean"],
    [three?.lane, "clean"],
  ]);
  expect(existsSync(join(repository.path, `${one?.name}.txt`))).toBe(true);
  expect(repository.git("status", "--porcelain")).toBe("");
  const notices = (await daemon.log(two?.session ?? "")).filter(({ type }) => type === "notice");
  expect(notices.map(({ data }) => (data as { text: string }).text)).toEqual([
    expect.stringMatching(/^main moved from .* 1 file\. It still merges cleanly\.$/),
  ]);
  const { lanes } = await client.call("listLanes", { query: { cwd: repository.path } });
  expect(lanes.find(({ id }) => id === two?.lane)).toMatchObject({ behind: 1 });
  const [matrix] = await client.landings.matrices(repository.path);
  expect(matrix?.order.map(({ lane }) => lane)).toEqual([three?.lane, two?.lane]);
  await client.call("undoLanding", { params: { id: landing.id } });
  expect(repository.git("rev-parse", "main")).toBe((before as string[])[3]);
});

it("returns the same launch for the same id and body, and refuses another body", async () => {
  const { client } = daemon;
  const first = await client.launches.create(body({ id: "lau_mine" }));
  const again = await client.launches.create(body({ id: "lau_mine" }));
  expect(again.slots.map(({ session }) => session)).toEqual(first.slots.map(({ session }) => session));
  await expect(client.launches.create(body({ id: "lau_mine", prompt: "other" }))).rejects.toMatchObject({
    code: "conflict",
  });
  await waitForSettled("lau_mine");
  expect((await client.sessions.list()).sessions).toHaveLength(3);
  // Names of lanes are in use by now.
  const more = await client.launches.create(body({ slots: [{ agent: "scripted", mode: "full-auto" }] }));
  expect(more.slots[0]?.name).toBe("named-fix-the-failing-scripted-3");
});

it.each([
  ["an unknown agent", "no_such_agent", { slots: [{ agent: "unknown" }] }],
  ["a missing agent", "agent_unavailable", { slots: [{ agent: "scripted" }, { agent: "goose" }] }],
  ["a folder without git", "not_a_repository", { cwd: "/" }],
  ["a folder that is not there", "invalid", { cwd: "/nowhere/at/all" }],
  ["a base that is not there", "invalid", { base: "nowhere" }],
  ["too many lanes", "invalid", { slots: [{ agent: "scripted", count: 16 }, { agent: "scripted" }] }],
  ["a further folder that is not there", "invalid", { folders: ["/nowhere/at/all"] }],
  ["a further folder with everything in it", "not_permitted", { folders: ["/"] }],
  ["an attachment that is not there", "invalid", { attachments: [{ path: "nothing.txt" }] }],
  ["an attachment from elsewhere", "outside_folder", { attachments: [{ path: "/etc/hostname" }] }],
  ["a model that the agent does not list", "invalid", { slots: [{ agent: "scripted", model: "x[a=b]" }] }],
] as [string, string, Partial<CreateLaunch>][])("%s is refused before anything is made", async (_, code, wrong) => {
  const before = repository.git("for-each-ref");
  await expect(daemon.client.launches.create(body(wrong))).rejects.toMatchObject({ code });
  expect(repository.git("for-each-ref")).toBe(before);
  expect(repository.git("worktree", "list").split("\n")).toHaveLength(1);
  expect(await daemon.client.launches.list()).toEqual([]);
  expect((await daemon.client.sessions.list()).sessions).toEqual([]);
});

it("refuses a branch without a commit", async () => {
  const empty = new TestRepository({ empty: true });
  await expect(daemon.client.launches.create(body({ cwd: empty.path }))).rejects.toMatchObject({ code: "no_commits" });
  empty.remove();
});

it("gives the session of every lane the further folders", async () => {
  const library = mkdtempSync(join(realpathSync(tmpdir()), "gantry-library-"));
  const slots = [{ agent: "scripted", count: 2 }];
  const made = await daemon.client.launches.create(body({ prompt: "[[text]] compare", folders: [library], slots }));
  const { folders, slots: ran } = await waitForSettled(made.id);
  expect(folders).toEqual([library]);
  const sessions = await Promise.all(ran.map(({ session }) => daemon.client.sessions.get(session)));
  expect(sessions.map((session) => session.folders)).toEqual([[library], [library]]);
  rmSync(library, { recursive: true });
});

it("gives every lane the attached files as they were at the launch", async () => {
  repository.write({ "notes.txt": "not committed\n" });
  const attachments = [{ path: join(repository.path, "README.md") }, { path: join(repository.path, "notes.txt") }];
  const made = await daemon.client.launches.create(body({ attachments }));
  const { slots } = await waitForSettled(made.id);
  for (const { session, name } of slots) {
    const message = (await daemon.log(session)).find(({ type }) => type === "message.user");
    const { attachments: given } = (message as Envelope<"message.user">).data;
    const paths = given.map(({ path = "" }) => path);
    expect(paths[0]).toMatch(new RegExp(`/${name}/README.md$`));
    expect(readFileSync(paths[1] ?? "", "utf8")).toBe("not committed\n");
  }
});

it("interrupts running turns on cancel, keeps their lanes and removes unused ones", async () => {
  const { client } = daemon;
  const made = await client.launches.create(
    body({ prompt: "[[hang]] wait", slots: [{ agent: "scripted", count: 2 }] }),
  );
  await until(made.id, ({ slots }) => slots.every(({ state }) => state === "running"));
  const cancelled = await client.launches.cancel(made.id);
  expect(cancelled.state).toBe("cancelled");
  for (const { session, lane } of cancelled.slots) {
    expect((await daemon.waitForIdle(session)).lastTurn?.outcome).toBe("interrupted");
    expect((await client.call("getLane", { params: { id: lane } })).state).toBe("ready");
  }
  expect((await client.launches.cancel(made.id, true)).state).toBe("cancelled");
  expect(await client.launches.list()).toEqual([]);

  mkdirSync(join(repository.path, ".gantry"));
  writeFileSync(join(repository.path, ".gantry", "lane.yml"), "setup: tail -f /dev/null\n");
  await client.trust.put({ path: repository.path });
  const stuck = await client.launches.create(body({ id: "lau_stuck" }));
  expect(stuck.state).toBe("lanes");
  expect(await client.launches.cancel("lau_stuck")).toMatchObject({
    state: "cancelled",
    slots: Array(3).fill(expect.objectContaining({ state: "cleaned" })),
  });
  const { lanes } = await client.call("listLanes", { query: { cwd: repository.path } });
  expect(lanes.map(({ kind }) => kind)).toEqual(["primary", "worktree", "worktree"]);
});

it("runs a check in each lane with a timeout, and marks stale results", async () => {
  const { client } = daemon;
  const { id } = await client.launches.create(body());
  const { slots } = await waitForSettled(id);
  const waitForEnd = async () => {
    for (;;) {
      const { lanes } = await client.launches.compare(id, false);
      if (lanes.every(({ check }) => check && check.state !== "running")) return lanes.map(({ check }) => check);
      await sleep(30);
    }
  };
  await expect(client.launches.check(id)).rejects.toMatchObject({ code: "invalid" });
  await client.launches.check(id, { command: 'echo "in $GANTRY_LANE"; test -e named-fix-the-failing-claude.txt' });
  const [first, , third] = await waitForEnd();
  expect(first).toMatchObject({ state: "failed", exitCode: 1, stale: false, output: `in ${slots[0]?.lane}\n` });
  expect(third).toMatchObject({ state: "passed", exitCode: 0 });
  const { path } = await client.call("getLane", { params: { id: slots[2]?.lane ?? "" } });
  writeFileSync(join(path, "later.txt"), "later\n");
  expect((await waitForEnd())[2]).toMatchObject({ state: "passed", stale: true });
  await client.launches.check(id, { command: "tail -f /dev/null", timeoutSeconds: 1 });
  expect((await waitForEnd()).map((check) => check?.state)).toEqual(["timeout", "timeout", "timeout"]);
});
