import assert from "node:assert/strict";
import type { Envelope, FailureCategory } from "@gantry/protocol";
import type { Conversation } from "../../harness/conversation.ts";
import type { Setting } from "../../harness/setting.ts";
import type { Scenario } from "../scenario.ts";

type Row = {
  name: string;
  title: string;
  prompt: string;
  category: FailureCategory;
  setting?: Setting;
};

/**
 * Some agents try for minutes; then the deadline ends it, with what the retries were for. What comes of a refusal where
 * limits are kept is tried in `limits.test.ts`.
 */
const PATIENT = { deadlines: { retrySeconds: 15 }, limits: { enabled: false } };

/** The provider says no, in every way that it has. */
const rows: Row[] = [
  { name: "error-401", title: "401: authentication", prompt: "[[err401]] go", category: "auth" },
  { name: "error-429", title: "429: rate limit", prompt: "[[err429]] go", category: "rate_limit" },
  { name: "error-500", title: "500: the provider is broken", prompt: "[[err500]] go", category: "overloaded" },
  { name: "error-529", title: "529: the provider is overloaded", prompt: "[[err529]] go", category: "overloaded" },
  { name: "error-quota", title: "Quota used up", prompt: "[[quota]] go", category: "quota" },
  { name: "error-billing", title: "No credit", prompt: "[[credit]] go", category: "billing" },
  { name: "error-model", title: "404: no such model", prompt: "[[err404]] go", category: "model_unavailable" },
  { name: "error-overflow", title: "The context is full", prompt: "[[overflow]] go", category: "context_overflow" },
  { name: "no-key", title: "No key at all", prompt: "[[text]] go", category: "auth", setting: { keyless: true } },
];

/** Fails with the right category and a remedy, and the session takes the next message. */
function failing({ name, title, prompt, category, setting }: Row): Scenario {
  return {
    name,
    title: `${title} → \`${category}\``,
    setting: { ...setting, config: PATIENT },
    async run(bench) {
      const talk = await bench.session({ prompt });
      if (setting?.keyless) await declineLogin(talk);
      const end = await talk.ended();
      assert.equal(end.data.outcome, "failed");
      assert.equal(end.data.error?.category, category, `told as ${JSON.stringify(end.data.error)}`);
      assert.ok(end.data.error?.remedy && end.data.error.message);
      if (setting?.keyless) return offersLogin(talk, end);
      await talk.completes("[[text]] again");
    },
    /** It fails all the same, in the agent's own words, and the session goes on. */
    async refused(bench) {
      const talk = await bench.session({ prompt });
      if (setting?.keyless) await declineLogin(talk);
      const end = await talk.ended();
      assert.equal(end.data.outcome, "failed");
      assert.ok(end.data.error?.remedy && end.data.error.message);
      if (setting?.keyless) return;
      await talk.completes("[[text]] again");
    },
  };
}

/** Where the agent offers a login, nobody takes it. */
async function declineLogin(talk: Conversation): Promise<void> {
  const first = await talk.until(
    "the end or an offer to log in",
    () => talk.of("input.requested")[0] ?? talk.of("turn.ended")[0],
  );
  if (first.type !== "input.requested") return;
  assert.equal(first.data.kind, "login");
  await talk.answer(first.data, { decision: "deny" });
}

/** The failure comes with the command that logs the agent in, in an event of its own too. */
function offersLogin(talk: Conversation, end: Envelope<"turn.ended">): void {
  const { error } = end.data;
  assert.equal(error?.offer?.kind, "login");
  assert.ok(error.remedy.includes(error.offer.display), error.remedy);
  assert.ok(talk.of("error").some(({ data }) => data.offer?.display === error.offer?.display));
}

const recovers: Scenario = {
  name: "retry",
  title: "A passing 500 is retried by the agent; the retry is shown",
  async run(bench) {
    const talk = await bench.session();
    await talk.completes("[[err500once]] go");
    assert.equal(talk.of("message.done").at(-1)?.data.text, "Recovered from err500.");
    const retries = talk.frames.filter((frame) => "live" in frame && frame.live.type === "retry");
    assert.ok(retries.length > 0, "no retry was shown");
  },
  async refused(bench) {
    const talk = await bench.session();
    await talk.completes("[[err500once]] go");
    assert.equal(talk.of("message.done").at(-1)?.data.text, "Recovered from err500.");
  },
};

export const failureScenarios = [...rows.map(failing), recovers];
