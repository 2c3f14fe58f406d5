import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Envelope, Launch } from "@gantry/protocol";
import { needs } from "@gantry/testkit";
import { afterEach, describe, expect, test } from "vitest";
import { AgentWorkspace } from "../harness/agent-workspace.ts";
import { findBreaches } from "../harness/laws.ts";
import { eventually } from "../harness/wait.ts";
import { areInstalled, VENDOR_BINARIES } from "../targets/installed-agents.ts";

const AGENTS = ["claude", "codex", "opencode"];
const USER = {
  GIT_AUTHOR_NAME: "Ada",
  GIT_AUTHOR_EMAIL: "ada@example.com",
  GIT_COMMITTER_NAME: "Ada",
  GIT_COMMITTER_EMAIL: "ada@example.com",
  GIT_CONFIG_NOSYSTEM: "1",
};

let workspace: AgentWorkspace | undefined;
afterEach(async () => {
  await workspace?.close();
  workspace = undefined;
});

describe.skipIf(!areInstalled(...AGENTS))("with the vendors' programs", needs(VENDOR_BINARIES), () => {
  test("three agents write in three lanes; one lands, the others get a notice; the checkout changes only then", async () => {
    workspace = await new AgentWorkspace().open(AGENTS, USER);
    const { client, folder } = workspace;
    const git = (...args: string[]) =>
      execFileSync("git", args, { cwd: folder, env: { ...process.env, ...USER }, encoding: "utf8" }).trim();
    git("init", "-q", "-b", "main");
    writeFileSync(join(folder, "README.md"), "hello\n");
    git("add", "-A");
    git("commit", "-q", "-m", "Begin");
    /** The state of the user's checkout: HEAD, the bytes of the index, the branch and the files. */
    const checkout = () => [
      readFileSync(join(folder, ".git", "HEAD"), "utf8"),
      readFileSync(join(folder, ".git", "index")).toString("base64"),
      git("rev-parse", "main"),
      git("status", "--porcelain", "--ignored"),
    ];
    const before = checkout();

    const made = await client.launches.create({
      prompt: "[[named]] greet the heron",
      cwd: folder,
      slots: AGENTS.map((agent) => ({ agent, mode: "full-auto" as const })),
    });
    const launch = await eventually<Launch>(
      "the end of three turns",
      async () => {
        const now = await client.launches.get(made.id);
        return now.state === "settled" ? now : undefined;
      },
      240_000,
    );
    expect(launch.slots.map(({ agent, state, outcome }) => [agent, state, outcome])).toEqual(
      AGENTS.map((agent) => [agent, "done", "completed"]),
    );
    expect(checkout()).toEqual(before);

    const comparison = await client.launches.compare(launch.id);
    expect(comparison.lanes.map(({ diff }) => diff.files.map(({ path }) => path))).toEqual(
      launch.slots.map(({ name }) => [`${name}.txt`]),
    );
    for (const [index, lane] of comparison.lanes.entries()) {
      expect(lane).toMatchObject({ outcome: "completed", turns: 1, last: "Done: named file." });
      expect(lane.commands, AGENTS[index]).toEqual([
        expect.objectContaining({ status: "ok", exitCode: 0, command: expect.stringContaining("basename") }),
      ]);
      expect(lane.usage.input, AGENTS[index]).toBeGreaterThan(0);
    }
    expect(comparison.overlap).toEqual([]);
    expect(checkout()).toEqual(before);

    const [one, ...others] = launch.slots;
    const landing = await client.landings.land(one?.lane ?? "", { how: "squash" });
    expect(landing).toMatchObject({ state: "done", from: before[2], to: git("rev-parse", "main") });
    expect(existsSync(join(folder, `${one?.name}.txt`))).toBe(true);
    expect(git("status", "--porcelain")).toBe("");
    const notified = landing.told; // prose-ignore: a JSON field
    expect(notified.map(({ lane, state }) => [lane, state])).toEqual(others.map(({ lane }) => [lane, "clean"]));
    const { lanes } = await client.call("listLanes", { query: { cwd: folder } });
    for (const { lane, session } of others) {
      expect(lanes.find(({ id }) => id === lane)).toMatchObject({ behind: 1 });
      const { events } = await client.sessions.events(session, { limit: 5000 });
      const moved = events.filter((event): event is Envelope<"notice"> => event.type === "notice");
      expect(moved.map(({ data }) => data.kind)).toContain("base_moved");
      expect(findBreaches(events)).toEqual([]);
    }
  }, 400_000);
});
