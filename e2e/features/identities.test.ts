import { readFileSync } from "node:fs";
import { join } from "node:path";
import { needs } from "@gantry/testkit";
import { afterEach, describe, expect, test } from "vitest";
import { Bench } from "../harness/bench.ts";
import type { Conversation } from "../harness/conversation.ts";
import type { Setting } from "../harness/setting.ts";
import { areInstalled, newestTarget, VENDOR_BINARIES } from "../targets/installed-agents.ts";
import type { Target } from "../targets/target.ts";

const TIMEOUT_MS = 300_000;

const open: Bench[] = [];
afterEach(async () => {
  for (const bench of open.splice(0)) expect(await bench.close()).toEqual([]);
});

async function opened(target: Target, setting: Setting = {}): Promise<Bench> {
  const bench = await Bench.open(target, setting);
  open.push(bench);
  return bench;
}

const settings: Setting = {
  agentConfig: { codex: { file: ".codex/config.toml", lines: "model_auto_compact_token_limit = 1000" } },
};
const PERSONA = "You are the keeper who counts herons.";

/** Sends to the identity and waits for the end of that turn, which must be a completed one. */
async function say(bench: Bench, text: string, talk?: Conversation): Promise<Conversation> {
  const { session } = await bench.client.identities.send("keeper", { text });
  const followed = talk ?? (await bench.follow(session.id));
  const end = await followed.ended((talk?.of("turn.ended").length ?? 0) + 1);
  expect(end.data.outcome, JSON.stringify(end.data)).toBe("completed");
  return followed;
}

describe.each(["claude", "codex"].map(newestTarget))("an identity of $name", (target) => {
  const { agent } = target;

  test.skipIf(!areInstalled(target.agent))(
    "knows who it is from the beginning, and is told again after a compaction",
    { ...needs(VENDOR_BINARIES), timeout: TIMEOUT_MS },
    async () => {
      const bench = await opened(target, settings);
      const memory = { "facts.md": "The egret is white." };
      await bench.client.identities.put("keeper", { agent, persona: PERSONA, memory, cwd: bench.folder });
      const talk = await say(bench, "[[text]] one");
      expect(bench.asked().at(-1)).toContain(PERSONA);
      expect(bench.asked().at(-1)).toContain("The egret is white.");
      expect(bench.asked().at(-1)).not.toContain("told this again");
      await say(bench, "[[text]] two", talk);
      if (target.compactPrompt) await say(bench, target.compactPrompt, talk);
      expect(talk.of("context.compacted").length).toBeGreaterThan(0);
      await say(bench, "[[text]] three", talk);
      const asked = bench.asked().findLast((body) => body.includes("[[text]] three")) ?? "";
      expect(asked).toContain("told this again: the conversation was compacted");
      expect(asked).toContain(PERSONA);
      const notices = talk.of("notice").filter(({ data }) => data.kind === "standing");
      expect(notices.length).toBeGreaterThan(0);
      expect((await bench.client.sessions.list()).sessions).toEqual([]);
    },
  );

  test.skipIf(!areInstalled(target.agent))(
    "writes into its memory, and is told of the change",
    { ...needs(VENDOR_BINARIES), timeout: TIMEOUT_MS },
    async () => {
      const bench = await opened(target);
      await bench.client.identities.put("keeper", { agent, persona: PERSONA, cwd: bench.folder, mode: "auto-edit" });
      const file = join(bench.home, "gantry", "identities", "keeper", "memory", "learned.md");
      const talk = await say(bench, `[[writeto:${file}]] remember it`);
      expect(talk.of("input.requested").map(({ data }) => data.title)).toEqual([]);
      expect(readFileSync(file, "utf8")).toBe("written there\n");
      await say(bench, "[[text]] and now?", talk);
      expect(bench.asked().at(-1)).toContain("## learned.md");
    },
  );
});

describe.each(["claude", "codex"].map(newestTarget))("a scribe that is $name", (target) => {
  test.skipIf(!areInstalled(target.agent))(
    "finds a title, and what it took is counted",
    { ...needs(VENDOR_BINARIES), timeout: TIMEOUT_MS },
    async () => {
      const { agent } = target;
      const bench = await opened(target, { config: { scribe: { agent } } });
      const talk = await bench.session();
      await talk.completes("Please mend it. [[say:Lighthouse Lamp Repair]]");
      const renamed = await talk.until("a better title", () =>
        talk.of("session.updated").find(({ data }) => data.patch.titleBy === "model"),
      );
      expect(renamed.data.patch.title).toBe("Lighthouse Lamp Repair");
      const { rows } = await bench.client.usage("session");
      const scribe = rows.find(({ session }) => session === "scribe");
      expect(scribe?.turns).toBe(1);
      expect(scribe?.usage.output).toBeGreaterThan(0);
      expect((await bench.client.sessions.list()).sessions.map(({ id }) => id)).toEqual([talk.id]);
      expect(bench.model.requests().some(({ body }) => JSON.stringify(body).includes("title of a work session"))).toBe(
        true,
      );
    },
  );
});
