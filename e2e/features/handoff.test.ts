import type { HandoffBody } from "@gantry/protocol";
import { needs } from "@gantry/testkit";
import { afterEach, describe, expect, test } from "vitest";
import { AgentWorkspace } from "../harness/agent-workspace.ts";
import { Conversation } from "../harness/conversation.ts";
import { areInstalled, VENDOR_BINARIES } from "../targets/installed-agents.ts";

const TIMEOUT_MS = 900_000;
/** Several vendors' programs start one after another, on a machine that may be busy. */
const PATIENCE_MS = 240_000;

class HandoffWorkspace extends AgentWorkspace {
  #conversation: Conversation | undefined;

  async conversation(agent: string): Promise<Conversation> {
    this.#conversation = await Conversation.open(
      this.client,
      { agent, cwd: this.folder, mode: "full-auto" },
      PATIENCE_MS,
    );
    return this.#conversation;
  }

  /** Hands off, waits for the end of the turn, and returns the last request that the model got. */
  async handOff(conversation: Conversation, body: HandoffBody): Promise<string> {
    const turns = (await conversation.view()).turns;
    await this.client.sessions.handOff(conversation.id, body);
    const end = await conversation.waitForEnd(turns + 1);
    expect(end.data.outcome, JSON.stringify(end.data)).toBe("completed");
    return this.modelRequests().at(-1) ?? "";
  }

  override async close(): Promise<void> {
    this.#conversation?.close();
    await super.close();
  }
}

let workspace: HandoffWorkspace | undefined;
afterEach(async () => {
  await workspace?.close();
  workspace = undefined;
});

describe.skipIf(!areInstalled("claude", "codex"))("with the vendors' programs", needs(VENDOR_BINARIES), () => {
  test(
    "a session moves from Claude Code to Codex with a brief, and back into its original conversation",
    async () => {
      workspace = await new HandoffWorkspace().open(["claude", "codex"]);
      const conversation = await workspace.conversation("claude");
      await conversation.runTurn("[[bash]] remember the heron");
      const handle = (await conversation.view()).handles.claude;

      const there = await workspace.handOff(conversation, { agent: "codex", prompt: "[[text]] and the egret" });
      expect(workspace.model.requests().findLast(({ side, wire }) => wire && !side)?.wire).toBe("responses");
      expect(there).toContain("You take over a session that Claude Code worked on");
      expect(there).toContain("remember the heron");
      expect(there).toContain("## Commands");
      expect(there).toContain("exit 0");
      expect(there).toContain("and the egret");
      await conversation.runTurn("[[text]] and the bittern");

      const back = await workspace.handOff(conversation, { agent: "claude", prompt: "[[text]] which birds?" });
      expect(workspace.model.requests().findLast(({ side, wire }) => wire && !side)?.wire).toBe("anthropic");
      // The original conversation: the unchanged first prompt, and a brief of the turns in between.
      const { messages } = JSON.parse(back) as { messages: { role: string; content: unknown }[] };
      expect(JSON.stringify(messages[0])).toContain("remember the heron");
      const last = JSON.stringify(messages.at(-1));
      expect(last).toContain("You are back in this session. Codex worked on it in between");
      expect(last).toContain("and the egret");
      expect(last).toContain("and the bittern");
      expect(last).not.toContain("remember the heron");
      const view = await conversation.view();
      expect(view).toMatchObject({ agent: "claude", handles: { claude: handle, codex: expect.any(String) } });
      const ends = conversation.of("handoff.ended").map(({ data }) => [data.strategy, data.outcome]);
      expect(ends).toEqual([
        ["brief", "completed"],
        ["resume", "completed"],
      ]);
      expect(await conversation.findBreaches(false)).toEqual([]);
    },
    TIMEOUT_MS,
  );
});

describe.skipIf(!areInstalled("opencode", "codex"))(
  "between an ACP agent and one without ACP",
  needs(VENDOR_BINARIES),
  () => {
    test(
      "a session moves from OpenCode to Codex and back",
      async () => {
        workspace = await new HandoffWorkspace().open(["opencode", "codex"]);
        const conversation = await workspace.conversation("opencode");
        await conversation.runTurn("[[text]] remember the heron");
        const handle = (await conversation.view()).handles.opencode;
        const there = await workspace.handOff(conversation, { agent: "codex", prompt: "[[text]] and the egret" });
        expect(there).toContain("remember the heron");
        expect(there).toContain("and the egret");
        const back = await workspace.handOff(conversation, { agent: "opencode", prompt: "[[text]] which birds?" });
        expect(back).toContain("remember the heron");
        expect(back).toContain("and the egret");
        expect(back).toContain("You are back in this session");
        expect((await conversation.view()).handles.opencode).toBe(handle);
        expect(await conversation.findBreaches(false)).toEqual([]);
      },
      TIMEOUT_MS,
    );
  },
);
