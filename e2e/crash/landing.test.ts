import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "@gantry/client";
import type { Landing, Lane } from "@gantry/protocol";
import { afterEach, describe, expect, test } from "vitest";
import { eventually } from "../harness/wait.ts";
import { CrashProject, killPointsAround } from "./crash-project.ts";

const ID = "job_crash";
const LANDING_STEPS = ["check", "commit", "prepare", "advance", "push", "tell", "remove"]; // prose-ignore: step names
let project: CrashProject;
afterEach(() => project?.remove());

/** Creates two lanes: one with committed and uncommitted work, and one with a session that must get a notice. */
async function makeLanes(client: Client): Promise<{ work: Lane; other: Lane }> {
  const make = (name: string) => client.call("createLane", { body: { id: `lan_${name}`, name, cwd: project.folder } });
  const [work, other] = [await make("work"), await make("other")];
  project.write({ "done.txt": "done\n" }, work.path);
  project.gitIn(work.path, "add", "-A");
  project.gitIn(work.path, "commit", "-q", "-m", "Done");
  project.write({ "loose.txt": "loose\n" }, work.path);
  await client.sessions.create({ id: "ses_other", agent: "claude", lane: other.id });
  return { work, other };
}

async function waitForLanding(client: Client): Promise<Landing> {
  return eventually("the end of the landing", async () => {
    const landing = await client.landings.get(ID);
    return landing.state === "running" ? undefined : landing;
  });
}

const refs = () =>
  project.git("for-each-ref", "--format=%(refname)", "refs/gantry/landing", "refs/gantry/undo/landing");
const scratch = () => {
  const folder = join(project.home, "gantry", "landing");
  return existsSync(folder) ? readdirSync(folder) : [];
};

describe("a landing", () => {
  test.each(killPointsAround("landing", LANDING_STEPS))(
    "killed at %s is finished once by the next daemon",
    async (where) => {
      project = new CrashProject();
      const first = await project.start(where);
      const { work } = await makeLanes(first);
      const before = project.git("rev-parse", "main");
      void first.landings.land(work.id, { id: ID, how: "squash", message: "Land it" }).catch(() => undefined);
      await project.waitForDeath();
      const client = await project.start();
      const landing = await waitForLanding(client);
      expect(landing, JSON.stringify(landing.error)).toMatchObject({ state: "done", from: before });
      expect(await client.landings.land(work.id, { id: ID, how: "squash", message: "Land it" })).toEqual(landing);
      expect(project.git("log", "--format=%s", `${before}..main`)).toBe("Land it");
      expect(readFileSync(join(project.folder, "loose.txt"), "utf8")).toBe("loose\n");
      expect(project.git("status", "--porcelain")).toBe("");
      expect(project.gitIn(work.path, "status", "--porcelain")).toBe("");
      expect(refs()).toBe(`refs/gantry/undo/landing/${ID}`);
      expect([scratch(), project.git("worktree", "list").split("\n").length]).toEqual([[], 3]);
      const { events } = await client.sessions.events("ses_other", { limit: 1000 });
      expect(events.filter(({ type }) => type === "notice")).toHaveLength(1);
    },
  );

  test.each(killPointsAround("landing", ["undo"]))(
    "refused by a hook and killed at %s changes nothing",
    async (where) => {
      project = new CrashProject();
      const first = await project.start(where);
      const { work } = await makeLanes(first);
      project.hook("pre-merge-commit", "exit 1");
      await first.trust.put({ path: project.folder });
      const look = () => [
        project.git("rev-parse", "main"),
        project.git("status", "--porcelain"),
        project.gitIn(work.path, "rev-parse", "HEAD"),
        project.gitIn(work.path, "status", "--porcelain"),
      ];
      const before = look();
      void first.landings.land(work.id, { id: ID }).catch(() => undefined);
      await project.waitForDeath();
      const client = await project.start();
      expect(await waitForLanding(client)).toMatchObject({ state: "failed", error: { code: "hook_failed" } });
      expect(look()).toEqual(before);
      expect([refs(), scratch()]).toEqual(["", []]);
    },
  );
}, 180_000);

describe("an update of a lane", () => {
  test.each(killPointsAround("lane-update", ["check", "prepare", "move"]))(
    "killed at %s is finished by the next daemon",
    async (where) => {
      project = new CrashProject();
      const first = await project.start(where);
      const { work } = await makeLanes(first);
      project.write({ "main.txt": "main\n" });
      project.git("add", "-A");
      project.git("commit", "-q", "-m", "Main");
      const body = { id: ID, dirty: true };
      void first.landings.update(work.id, body).catch(() => undefined);
      await project.waitForDeath();
      const client = await project.start();
      const updated = await client.landings.update(work.id, body);
      expect(updated).toMatchObject({ moved: true, to: project.gitIn(work.path, "rev-parse", "HEAD") });
      expect(project.gitIn(work.path, "log", "--format=%s", "main..HEAD")).toBe("Done");
      expect(project.gitIn(work.path, "status", "--porcelain", "--branch")).toMatch(/^## \S+\n\?\? loose\.txt$/);
      expect(existsSync(join(work.path, "main.txt"))).toBe(true);
    },
  );
}, 180_000);
