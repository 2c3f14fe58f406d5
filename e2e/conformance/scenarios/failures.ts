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
 * Some agents retry for minutes; then the deadline ends the turn, with the cause of the retries. `limits.test.ts` tests
 * rate limits with limit handling enabled.
 */
const PATIENT = { deadlines: { retrySeconds: 15 }, limits: { enabled: false } };

/** Every kind of failure response. */
const rows: Row[] = [
  { name: "error-401", title: "401: authentication", prompt: "[[err401]] go", category: "auth" },
  { name: "error-429", title: "429: rate limit", prompt: "[[err429]] go", category: "rate_limit" },
  { name: "error-500", title: "500: the provider fails", prompt: "[[err500]] go", category: "overloaded" },
  { name: "error-529", title: "529: the provider is overloaded", prompt: "[[err529]] go", category: "overloaded" },
  { name: "error-quota", title: "Quota exhausted", prompt: "[[quota]] go", category: "quota" },
  { name: "error-billing", title: "No credit", prompt: "[[credit]] go", category: "billing" },
  { name: "error-model", title: "404: no such model", prompt: "[[err404]] go", category: "model_unavailable" },
  { name: "error-overflow", title: "The context is full", prompt: "[[overflow]] go", category: "context_overflow" },
  { name: "no-key", title: "No key at all", prompt: "[[text]] go", category: "auth", setting: { keyless: true } },
];

/** The turn fails with the right category and a remedy, and the session accepts the next message. */
function failureScenario({ name, title, prompt, category, setting }: Row): Scenario {
  return {
    name,
    title: `${title} → \`${category}\``,
    setting: { ...setting, config: PATIENT },
    async run(bench) {
      const conversation = await bench.session({ prompt });
      if (setting?.keyless) await declineLogin(conversation);
      const end = await conversation.waitForEnd();
      assert.equal(end.data.outcome, "failed");
      assert.equal(end.data.error?.category, category, `reported as ${JSON.stringify(end.data.error)}`);
      assert.ok(end.data.error?.remedy && end.data.error.message);
      if (setting?.keyless) return assertLoginCommand(conversation, end);
      await conversation.runTurn("[[text]] again");
    },
    /** The turn still fails, with the agent's own message, and the session continues. */
    async checkRefusal(bench) {
      const conversation = await bench.session({ prompt });
      if (setting?.keyless) await declineLogin(conversation);
      const end = await conversation.waitForEnd();
      assert.equal(end.data.outcome, "failed");
      assert.ok(end.data.error?.remedy && end.data.error.message);
      if (setting?.keyless) return;
      await conversation.runTurn("[[text]] again");
    },
  };
}

/** Declines the login if the agent asks for one. */
async function declineLogin(conversation: Conversation): Promise<void> {
  const first = await conversation.until(
    "the end of the turn or a login request",
    () => conversation.of("input.requested")[0] ?? conversation.of("turn.ended")[0],
  );
  if (first.type !== "input.requested") return;
  assert.equal(first.data.kind, "login");
  await conversation.answer(first.data, { decision: "deny" });
}

/** The failure and a separate error event contain the command that logs the agent in. */
function assertLoginCommand(conversation: Conversation, end: Envelope<"turn.ended">): void {
  const { error } = end.data;
  assert.equal(error?.offer?.kind, "login");
  assert.ok(error.remedy.includes(error.offer.display), error.remedy);
  assert.ok(conversation.of("error").some(({ data }) => data.offer?.display === error.offer?.display));
}

const recovers: Scenario = {
  name: "retry",
  title: "The agent retries a temporary 500; the retry is shown",
  async run(bench) {
    const conversation = await bench.session();
    await conversation.runTurn("[[err500once]] go");
    assert.equal(conversation.of("message.done").at(-1)?.data.text, "Recovered from err500.");
    const retries = conversation.frames.filter((frame) => "live" in frame && frame.live.type === "retry");
    assert.ok(retries.length > 0, "no retry was shown");
  },
  async checkRefusal(bench) {
    const conversation = await bench.session();
    await conversation.runTurn("[[err500once]] go");
    assert.equal(conversation.of("message.done").at(-1)?.data.text, "Recovered from err500.");
  },
};

export const failureScenarios = [...rows.map(failureScenario), recovers];
