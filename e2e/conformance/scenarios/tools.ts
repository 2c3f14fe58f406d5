import assert from "node:assert/strict";
import type { Scenario } from "../scenario.ts";

const multi: Scenario = {
  name: "multi-tool",
  title: "Several tools in sequence, with text and reasoning between them",
  async run(bench) {
    const mode = bench.target.neverAsks ? "full-auto" : "ask";
    const conversation = await bench.session({ prompt: "[[multi]] go", mode });
    await conversation.allowAll();
    assert.equal(bench.file("multi.txt"), "multi\n");
    const tools = conversation.of("tool.started");
    assert.equal(tools.length, 4);
    assert.deepEqual(new Set(conversation.of("tool.ended").map(({ data }) => data.status)), new Set(["ok"]));
    assert.ok(tools.some(({ data }) => data.kind === "edit") && tools.some(({ data }) => data.kind === "execute"));
    assert.equal(conversation.of("message.done").at(-1)?.data.text, "All four tool calls done.");
  },
};

const parallel: Scenario = {
  name: "parallel-tools",
  title: "Several tools at once, each with its own output",
  async run(bench) {
    const conversation = await bench.session({ prompt: "[[parallel]] go", mode: "full-auto" });
    await conversation.waitForEnd();
    const outputs = conversation.of("tool.ended").map(({ data }) => String(data.output).trim());
    assert.deepEqual(outputs.toSorted(), ["first", "second", "third"]);
    assert.equal(conversation.of("message.done").at(-1)?.data.text, "All three at once are done.");
  },
};

const failing: Scenario = {
  name: "failing-tool",
  title: "A failed command is reported as failed; the agent continues",
  async run(bench) {
    const conversation = await bench.session({ prompt: "[[bashfail]] go", mode: "full-auto" });
    assert.equal((await conversation.waitForEnd()).data.outcome, "completed");
    const [tool] = conversation.of("tool.ended");
    assert.equal(tool?.data.status, "error");
    assert.equal(tool.data.exitCode, 3);
    assert.match(String(tool.data.output), /oops/);
  },
};

const bigOutput: Scenario = {
  name: "big-output",
  title: "A large output is stored in full, outside the log",
  setting: { env: { BASH_MAX_OUTPUT_LENGTH: "150000" } },
  async run(bench) {
    const { outputLimit } = bench.target;
    const conversation = await bench.session({ prompt: `[[bigoutput:${outputLimit}]] go`, mode: "full-auto" });
    await conversation.waitForEnd();
    const [tool] = conversation.of("tool.ended");
    const output = tool?.data.output;
    assert.ok(typeof output === "object", `the event holds ${String(output).length} characters itself`);
    assert.ok(output.size >= outputLimit, `only ${output.size} bytes were stored`);
    const item = await bench.client.sessions.item(conversation.id, tool?.data.item ?? "");
    assert.equal(item.text.replace(/[^x]/g, "").length, outputLimit);
  },
  /** The part that the agent passes on is stored, with its truncation notice. */
  async checkRefusal(bench) {
    const conversation = await bench.session({
      prompt: `[[bigoutput:${bench.target.outputLimit}]] go`,
      mode: "full-auto",
    });
    assert.equal((await conversation.waitForEnd()).data.outcome, "completed");
    const [tool] = conversation.of("tool.ended");
    assert.equal(tool?.data.status, "ok");
    const item = await bench.client.sessions.item(conversation.id, tool.data.item);
    assert.match(item.text, /^x{99}$/m);
    assert.match(item.text, /truncated|skipped|too large/);
  },
};

export const toolScenarios = [multi, parallel, failing, bigOutput];
