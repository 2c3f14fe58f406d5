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
  const author = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com"];
  return execFileSync("git", [...author, ...args], { cwd, encoding: "utf8" }).trim();
}

/** Waits for the diff of a turn. */
function waitForDiff(open: AgentWorkspace, id: string, number: number) {
  return eventually(`the diff of turn ${number}`, async () => {
    const row = (await open.client.turns.list(id))[number - 1];
    return row?.diff ? row : undefined;
  });
}

const agents = ["claude", "codex", "opencode"].filter((agent) => areInstalled(agent));

describe.skipIf(agents.length === 0)("with the vendors' programs", needs(VENDOR_BINARIES), () => {
  test.each(agents)(
    "a turn of %s has an exact diff, can be reverted, and can be forked with its files and its conversation",
    async (agent) => {
      workspace = await new AgentWorkspace().open([agent]);
      const { folder, client } = workspace;
      git(folder, "init", "-q");
      writeFileSync(join(folder, "README.md"), "hello\n");
      git(folder, "add", "-A");
      git(folder, "commit", "-q", "-m", "first");
      writeFileSync(join(folder, "mine.txt"), "not the agent's\n");
      const conversation = await Conversation.open(client, { agent, cwd: folder, mode: "full-auto" });
      await conversation.runTurn("[[bash]] remember the heron");
      const first = await waitForDiff(workspace, conversation.id, 1);
      const { files } = await client.turns.diff(conversation.id, first.turn);
      expect(files).toMatchObject([{ path: "bash.txt", kind: "add", additions: 1 }]);

      const fork = await client.turns.fork(conversation.id);
      expect(git(fork.cwd, "status", "--porcelain").split("\n")).toEqual(["?? bash.txt", "?? mine.txt"]);
      const branch = await Conversation.follow(client, fork.id);
      await branch.runTurn("[[text]] which bird?");
      expect(workspace.modelRequests().at(-1)).toContain("remember the heron");
      expect(await branch.findBreaches(false)).toEqual([]);
      branch.close();

      await client.turns.revert(conversation.id, first.turn);
      expect(existsSync(join(folder, "bash.txt"))).toBe(false);
      expect(readFileSync(join(folder, "mine.txt"), "utf8")).toBe("not the agent's\n");
      expect(existsSync(join(fork.cwd, "bash.txt"))).toBe(true);
      expect(await conversation.findBreaches(false)).toEqual([]);
      conversation.close();
    },
    TIMEOUT_MS,
  );
});
