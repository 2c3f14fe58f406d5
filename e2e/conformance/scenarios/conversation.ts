import assert from "node:assert/strict";
import type { Scenario } from "../scenario.ts";

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";

const text: Scenario = {
  name: "text",
  title: "A prompt is answered; the answer streams",
  async run(bench) {
    const conversation = await bench.session();
    await conversation.runTurn("[[text]] hello");
    assert.deepEqual(
      conversation.of("message.done").map(({ data }) => data.text),
      ["Hello from the scripted model. The answer is 42."],
    );
    assert.equal(conversation.streamedText("text"), "Hello from the scripted model. The answer is 42.");
    assert.equal((await conversation.view()).state, "idle");
  },
};

const thinking: Scenario = {
  name: "thinking",
  title: "Reasoning is separate from the answer",
  async run(bench) {
    const conversation = await bench.session();
    await conversation.runTurn("[[think]] hello");
    const [thought] = conversation.of("reasoning.done");
    assert.equal(thought?.data.text, "Let me think about this step by step. First A, then B.");
    assert.equal(conversation.streamedText("reasoning"), thought?.data.text);
    assert.equal(conversation.of("message.done").at(-1)?.data.text, "After thinking: the answer is 42.");
  },
};

const unicode: Scenario = {
  name: "unicode",
  title: "Line separators, emoji, right-to-left text and NUL arrive unchanged",
  async run(bench) {
    const conversation = await bench.session();
    await conversation.runTurn("[[unicode]] \u2028 🚀 שלום");
    const reply = conversation.of("message.done").at(-1)?.data.text ?? "";
    for (const part of [
      "before \u2028 after",
      "para \u2029 end",
      "👩‍👩‍👧‍👦",
      "שלום مرحبا",
      '"quotes" \\ backslash; tab\tand newline\n世界',
    ]) {
      assert.ok(reply.includes(part), `${JSON.stringify(part)} is missing in ${JSON.stringify(reply)}`);
    }
    assert.ok(bench.modelRequests().some((body) => body.includes("🚀 שלום")));
  },
};

const image: Scenario = {
  name: "image",
  title: "An attached image reaches the model",
  async run(bench) {
    const conversation = await bench.session();
    await conversation.runTurn("[[text]] what is this?", {
      attachments: [{ name: "pixel.png", mime: "image/png", data: PIXEL }],
    });
    assert.ok(
      bench.modelRequests().some((body) => /"type":"(input_)?image(_url)?"|"inlineData"|"image_node"/.test(body)),
      "no request holds an image",
    );
  },
};

export const conversationScenarios = [text, thinking, unicode, image];
