import type { HandoffBody } from "@gantry/protocol";
import { needs } from "@gantry/testkit";
import { afterEach, describe, expect, test } from "vitest";
import { AgentWorkspace } from "../harness/agent-workspace.ts";
import { Conversation } from "../harness/conversation.ts";
import { areInstalled, VENDOR_BINARIES } from "../targets/installed-agents.ts";

const TIMEOUT_MS = 900_000;
/** Against what hangs: several of the vendors' programs start one after another, on a machine that may be busy. */
const PATIENCE_MS = 240_000;

class HandoffWorkspace extends AgentWorkspace {
  #talk: Conversation | undefined;

  async talk(agent: string): Promise<Conversation> {
    this.#talk = await Conversation.open(this.client, { agent, cwd: this.folder, mode: "full-auto" }, PATIENCE_MS);
    return this.#talk;
  }

  /** Hands over, waits for the end of that turn, and gives the last request that the model got for it. */
  async handOff(talk: Conversation, body: HandoffBody): Promise<string> {
    const turns = (await talk.view()).turns;
    await this.client.sessions.handOff(talk.id, body);
    const end = await talk.ended(turns + 1);
    expect(end.data.outcome, JSON.stringify(end.data)).toBe("completed");
    return this.asked().at(-1) ?? "";
  }

  override async close(): Promise<void> {
    this.#talk?.close();
    await super.close();
  }
}

let workspace: HandoffWorkspace | undefined;
afterEach(async () => {
  await workspace?.close();
  workspace = undefined;
});

describe.skipIf(!areInstalled("claude", "codex"))("with the vendors' own programs", needs(VENDOR_BINARIES), () => {
  test(
    "a session goes from Claude Code to Codex by a brief, and back by its own conversation",
    async () => {
      workspace = await new HandoffWorkspace().open(["claude", "codex"]);
      const talk = await workspace.talk("claude");
      await talk.completes("[[bash]] remember the heron");
      const handle = (await talk.view()).handles.claude;

      const there = await workspace.handOff(talk, { agent: "codex", prompt: "[[text]] and the egret" });
      expect(workspace.model.requests().findLast(({ side, wire }) => wire && !side)?.wire).toBe("responses");
      expect(there).toContain("You take over a session that Claude Code worked on");
      expect(there).toContain("remember the heron");
      expect(there).toContain("## Commands");
      expect(there).toContain("exit 0");
      expect(there).toContain("and the egret");
      await talk.completes("[[text]] and the bittern");

      const back = await workspace.handOff(talk, { agent: "claude", prompt: "[[text]] which birds?" });
      expect(workspace.model.requests().findLast(({ side, wire }) => wire && !side)?.wire).toBe("anthropic");
      // Its own conversation: the first prompt as it was, and the brief of what came in between.
      const { messages } = JSON.parse(back) as { messages: { role: string; content: unknown }[] };
      expect(JSON.stringify(messages[0])).toContain("remember the heron");
      const last = JSON.stringify(messages.at(-1));
      expect(last).toContain("You are back in this session. Codex worked on it in between");
      expect(last).toContain("and the egret");
      expect(last).toContain("and the bittern");
      expect(last).not.toContain("remember the heron");
      const view = await talk.view();
      expect(view).toMatchObject({ agent: "claude", handles: { claude: handle, codex: expect.any(String) } });
      const ends = talk.of("handoff.ended").map(({ data }) => [data.strategy, data.outcome]);
      expect(ends).toEqual([
        ["brief", "completed"],
        ["resume", "completed"],
      ]);
      expect(await talk.breaches(false)).toEqual([]);
    },
    TIMEOUT_MS,
  );
});

describe.skipIf(!areInstalled("opencode", "codex"))(
  "between an agent that speaks ACP and one that does not",
  needs(VENDOR_BINARIES),
  () => {
    test(
      "a session goes from OpenCode to Codex and back",
      async () => {
        workspace = await new HandoffWorkspace().open(["opencode", "codex"]);
        const talk = await workspace.talk("opencode");
        await talk.completes("[[text]] remember the heron");
        const handle = (await talk.view()).handles.opencode;
        const there = await workspace.handOff(talk, { agent: "codex", prompt: "[[text]] and the egret" });
        expect(there).toContain("remember the heron");
        expect(there).toContain("and the egret");
        const back = await workspace.handOff(talk, { agent: "opencode", prompt: "[[text]] which birds?" });
        expect(back).toContain("remember the heron");
        expect(back).toContain("and the egret");
        expect(back).toContain("You are back in this session");
        expect((await talk.view()).handles.opencode).toBe(handle);
        expect(await talk.breaches(false)).toEqual([]);
      },
      TIMEOUT_MS,
    );
  },
);
