import { readFileSync } from "node:fs";
import { join } from "node:path";
import { needs } from "@gantry/testkit";
import { describe, expect, test } from "vitest";
import type { Bench } from "../harness/bench.ts";
import type { Conversation } from "../harness/conversation.ts";
import { openBench } from "../harness/open-bench.ts";
import type { Setting } from "../harness/setting.ts";
import { areInstalled, newestTarget, VENDOR_BINARIES } from "../targets/installed-agents.ts";

const TIMEOUT_MS = 300_000;

const settings: Setting = {
  agentConfig: { codex: { file: ".codex/config.toml", lines: "model_auto_compact_token_limit = 1000" } },
};
const PERSONA = "You are the keeper. You count herons.";

/** Sends to the identity and waits for the end of the turn, which must complete. */
async function sendAndWait(bench: Bench, text: string, conversation?: Conversation): Promise<Conversation> {
  const { session } = await bench.client.identities.send("keeper", { text });
  const followed = conversation ?? (await bench.follow(session.id));
  const end = await followed.waitForEnd((conversation?.of("turn.ended").length ?? 0) + 1);
  expect(end.data.outcome, JSON.stringify(end.data)).toBe("completed");
  return followed;
}

describe.each(["claude", "codex"].map(newestTarget))("an identity of $name", (target) => {
  const { agent } = target;

  test.skipIf(!areInstalled(target.agent))(
    "gets its persona and memory at start, and again after a compaction",
    { ...needs(VENDOR_BINARIES), timeout: TIMEOUT_MS },
    async () => {
      const bench = await openBench(target, settings);
      const memory = { "facts.md": "The egret is white." };
      await bench.client.identities.put("keeper", { agent, persona: PERSONA, memory, cwd: bench.folder });
      const conversation = await sendAndWait(bench, "[[text]] one");
      expect(bench.modelRequests().at(-1)).toContain(PERSONA);
      expect(bench.modelRequests().at(-1)).toContain("The egret is white.");
      expect(bench.modelRequests().at(-1)).not.toContain("This context is repeated");
      await sendAndWait(bench, "[[text]] two", conversation);
      if (target.compactPrompt) await sendAndWait(bench, target.compactPrompt, conversation);
      expect(conversation.of("context.compacted").length).toBeGreaterThan(0);
      await sendAndWait(bench, "[[text]] three", conversation);
      const request = bench.modelRequests().findLast((body) => body.includes("[[text]] three")) ?? "";
      expect(request).toContain("This context is repeated because the conversation was compacted");
      expect(request).toContain(PERSONA);
      const notices = conversation.of("notice").filter(({ data }) => data.kind === "standing");
      expect(notices.length).toBeGreaterThan(0);
      expect((await bench.client.sessions.list()).sessions).toEqual([]);
    },
  );

  test.skipIf(!areInstalled(target.agent))(
    "writes to its memory and gets the changed memory",
    { ...needs(VENDOR_BINARIES), timeout: TIMEOUT_MS },
    async () => {
      const bench = await openBench(target);
      await bench.client.identities.put("keeper", { agent, persona: PERSONA, cwd: bench.folder, mode: "auto-edit" });
      const file = join(bench.home, "gantry", "identities", "keeper", "memory", "learned.md");
      const conversation = await sendAndWait(bench, `[[writeto:${file}]] remember it`);
      expect(conversation.of("input.requested").map(({ data }) => data.title)).toEqual([]);
      expect(readFileSync(file, "utf8")).toBe("written there\n");
      await sendAndWait(bench, "[[text]] and now?", conversation);
      expect(bench.modelRequests().at(-1)).toContain("## learned.md");
    },
  );
});
