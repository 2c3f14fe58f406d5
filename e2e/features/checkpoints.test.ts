import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { needs } from "@gantry/testkit";
import { afterEach, describe, expect, test } from "vitest";
import { AgentWorkspace } from "../harness/agent-workspace.ts";
import { Conversation } from "../harness/conversation.ts";
import { eventually } from "../harness/wait.ts";
import { areInstalled, VENDOR_BINARIES } from "../targets/installed-agents.ts";

const TIMEOUT_MS = 300_000;

let workspace: AgentWorkspace | undefined;
afterEach(async () => {
  await workspace?.close();
  workspace = undefined;
});

function git(cwd: string, ...args: string[]): string {
  const who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com"];
  return execFileSync("git", [...who, ...args], { cwd, encoding: "utf8" }).trim();
}

/** A turn with its diff, once that is there. */
function turn(open: AgentWorkspace, id: string, number: number) {
  return eventually(`the diff of turn ${number}`, async () => {
    const row = (await open.client.turns.list(id))[number - 1];
    return row?.diff ? row : undefined;
  });
}

const agents = ["claude", "codex", "opencode"].filter((agent) => areInstalled(agent));

describe.skipIf(agents.length === 0)("with the vendors' own programs", needs(VENDOR_BINARIES), () => {
  test.each(agents)(
    "a turn of %s has its exact diff, is reverted, and is forked with its files and its conversation",
    async (agent) => {
      workspace = await new AgentWorkspace().open([agent]);
      const { folder, client } = workspace;
      git(folder, "init", "-q");
      writeFileSync(join(folder, "README.md"), "hello\n");
      git(folder, "add", "-A");
      git(folder, "commit", "-q", "-m", "first");
      writeFileSync(join(folder, "mine.txt"), "not the agent's\n");
      const talk = await Conversation.open(client, { agent, cwd: folder, mode: "full-auto" });
      await talk.completes("[[bash]] remember the heron");
      const first = await turn(workspace, talk.id, 1);
      const { files } = await client.turns.diff(talk.id, first.turn);
      expect(files).toMatchObject([{ path: "bash.txt", kind: "add", additions: 1 }]);

      const fork = await client.turns.fork(talk.id);
      expect(git(fork.cwd, "status", "--porcelain").split("\n")).toEqual(["?? bash.txt", "?? mine.txt"]);
      const branch = await Conversation.follow(client, fork.id);
      await branch.completes("[[text]] which bird?");
      expect(workspace.asked().at(-1)).toContain("remember the heron");
      expect(await branch.breaches(false)).toEqual([]);
      branch.close();

      await client.turns.revert(talk.id, first.turn);
      expect(existsSync(join(folder, "bash.txt"))).toBe(false);
      expect(readFileSync(join(folder, "mine.txt"), "utf8")).toBe("not the agent's\n");
      expect(existsSync(join(fork.cwd, "bash.txt"))).toBe(true);
      expect(await talk.breaches(false)).toEqual([]);
      talk.close();
    },
    TIMEOUT_MS,
  );
});
