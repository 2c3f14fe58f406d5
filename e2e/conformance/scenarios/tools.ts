import assert from "node:assert/strict";
import type { Conversation } from "../../harness/conversation.ts";
import type { Scenario } from "../scenario.ts";

/** Allows whatever is asked until the turn ends. */
async function allowAll(talk: Conversation): Promise<void> {
  const answered = new Set<string>();
  await talk.until("the end of the turn", () => {
    for (const { data } of talk.of("input.requested")) {
      if (answered.has(data.id)) continue;
      answered.add(data.id);
      void talk.answer(data, { decision: "allow" });
    }
    return talk.of("turn.ended")[0];
  });
}

const multi: Scenario = {
  name: "multi-tool",
  title: "Several tools one after the other, with text and reasoning between them",
  async run(bench) {
    const talk = await bench.session({ prompt: "[[multi]] go" });
    await allowAll(talk);
    assert.equal(bench.file("multi.txt"), "multi\n");
    const tools = talk.of("tool.started");
    assert.equal(tools.length, 4);
    assert.deepEqual(new Set(talk.of("tool.ended").map(({ data }) => data.status)), new Set(["ok"]));
    assert.ok(tools.some(({ data }) => data.kind === "edit") && tools.some(({ data }) => data.kind === "execute"));
    assert.equal(talk.of("message.done").at(-1)?.data.text, "All four tool calls done.");
  },
};

const parallel: Scenario = {
  name: "parallel-tools",
  title: "Several tools at once, each with its own output",
  async run(bench) {
    const talk = await bench.session({ prompt: "[[parallel]] go", mode: "full-auto" });
    await talk.ended();
    const outputs = talk.of("tool.ended").map(({ data }) => String(data.output).trim());
    assert.deepEqual(outputs.toSorted(), ["first", "second", "third"]);
    assert.equal(talk.of("message.done").at(-1)?.data.text, "All three at once are done.");
  },
};

const failing: Scenario = {
  name: "failing-tool",
  title: "A command that fails is told as failed; the agent goes on",
  async run(bench) {
    const talk = await bench.session({ prompt: "[[bashfail]] go", mode: "full-auto" });
    assert.equal((await talk.ended()).data.outcome, "completed");
    const [tool] = talk.of("tool.ended");
    assert.equal(tool?.data.status, "error");
    assert.equal(tool.data.exitCode, 3);
    assert.match(String(tool.data.output), /oops/);
  },
};

const bigOutput: Scenario = {
  name: "big-output",
  title: "A large output is kept whole, outside of the log",
  setting: { env: { BASH_MAX_OUTPUT_LENGTH: "150000" } },
  async run(bench) {
    const { outputLimit } = bench.target;
    const talk = await bench.session({ prompt: `[[bigoutput:${outputLimit}]] go`, mode: "full-auto" });
    await talk.ended();
    const [tool] = talk.of("tool.ended");
    const output = tool?.data.output;
    assert.ok(typeof output === "object", `the event holds ${String(output).length} characters itself`);
    assert.ok(output.size >= outputLimit, `only ${output.size} bytes were kept`);
    const item = await bench.client.sessions.item(talk.id, tool?.data.item ?? "");
    assert.equal(item.text.replace(/[^x]/g, "").length, outputLimit);
  },
  /** What it hands on is kept, and says that it is not all. */
  async refused(bench) {
    const talk = await bench.session({ prompt: `[[bigoutput:${bench.target.outputLimit}]] go`, mode: "full-auto" });
    assert.equal((await talk.ended()).data.outcome, "completed");
    const [tool] = talk.of("tool.ended");
    assert.equal(tool?.data.status, "ok");
    const item = await bench.client.sessions.item(talk.id, tool.data.item);
    assert.match(item.text, /^x{99}$/m);
    assert.match(item.text, /truncated|skipped|too large/);
  },
};

export const toolScenarios = [multi, parallel, failing, bigOutput];
