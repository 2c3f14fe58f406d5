import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { CreateLaunch, Envelope } from "@gantry/protocol";
import { fakeAgentAsked } from "@gantry/testkit";
import { afterEach, describe, expect, test } from "vitest";
import { findBreaches } from "../harness/laws.ts";
import { eventually } from "../harness/wait.ts";
import { CrashProject, killPointsAround } from "./crash-project.ts";

const ID = "lau_crash";
let project: CrashProject;
afterEach(() => project?.remove());

const body = (): CreateLaunch => ({
  id: ID,
  prompt: "[[named]] try the heron",
  cwd: project.folder,
  attachments: [{ path: join(project.folder, "notes.txt") }],
  slots: [
    { agent: "claude", mode: "full-auto" },
    { agent: "hermes", mode: "full-auto" },
  ],
});

/** The number of model requests that contain the prompt. */
function countRequests(): number {
  const file = join(project.home, fakeAgentAsked);
  if (!existsSync(file)) return 0;
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line.includes("try the heron")).length;
}

const worktrees = () => project.git("worktree", "list", "--porcelain").match(/^worktree /gm)?.length;
const branches = () => project.git("for-each-ref", "--format=%(refname)", "refs/heads").split("\n").length;

describe("a launch", () => {
  test.each([
    ...killPointsAround("launch", ["attachments", "lanes", "setup", "sessions", "send"]),
    ...killPointsAround("lane.create", ["reserve", "worktree", "files", "setup"]),
  ])("killed at %s is finished by the next daemon and sends nothing twice", async (where) => {
    project = new CrashProject();
    project.write({ "notes.txt": "notes\n", ".gantry/lane.yml": "setup: 'true'\n" });
    const checkout = () => [project.git("rev-parse", "HEAD"), project.git("status", "--porcelain")];
    const before = checkout();
    const first = await project.start(where);
    await first.launches.create(body()).catch(() => undefined);
    await project.waitForDeath();
    const client = await project.start();
    const launch = await eventually("the end of the launch", async () => {
      const now = await client.launches.get(ID);
      return ["settled", "failed", "cancelled"].includes(now.state) ? now : undefined;
    });
    expect(launch, JSON.stringify(launch.error)).toMatchObject({ state: "settled" });
    expect(launch.slots.map(({ state, outcome }) => [state, outcome])).toEqual(Array(2).fill(["done", "completed"]));
    expect(await client.launches.create(body())).toMatchObject({ id: ID, state: "settled" });
    for (const { session } of launch.slots) {
      const { events } = await client.sessions.events(session, { limit: 1000 });
      expect(findBreaches(events)).toEqual([]);
      const count = (type: Envelope["type"]) => events.filter((event) => event.type === type).length;
      expect([count("message.user"), count("turn.started")]).toEqual([1, 1]);
    }
    expect((await client.sessions.list()).sessions).toHaveLength(2);
    const { lanes } = await client.call("listLanes", { query: { cwd: project.folder } });
    expect(lanes.map(({ kind, state }) => [kind, state])).toEqual([
      ["primary", "ready"],
      ["worktree", "ready"],
      ["worktree", "ready"],
    ]);
    expect(lanes.slice(1).map(({ base }) => base?.commit)).toEqual(Array(2).fill(before[0]));
    expect([worktrees(), branches()]).toEqual([3, 3]);
    expect(checkout()).toEqual(before);
    expect(countRequests()).toBe(2);
  });

  test.each(killPointsAround("launch", ["undo"]))("cancelled and killed at %s leaves nothing behind", async (where) => {
    project = new CrashProject();
    project.write({ "notes.txt": "notes\n", ".gantry/lane.yml": "setup: tail -f /dev/null\n" });
    const first = await project.start(where);
    await first.launches.create(body());
    void first.launches.cancel(ID).catch(() => undefined);
    await project.waitForDeath();
    const client = await project.start();
    await eventually("the end of the launch", async () => {
      const { slots } = await client.launches.get(ID);
      return slots.every(({ state }) => state === "cleaned");
    });
    expect((await client.launches.get(ID)).state).toBe("cancelled");
    expect((await client.sessions.list()).sessions).toEqual([]);
    expect([worktrees(), branches(), countRequests()]).toEqual([1, 1, 0]);
  });
}, 180_000);
