import assert from "node:assert/strict";
import type { Scenario } from "../scenario.ts";

const approve: Scenario = {
  name: "approve",
  title: "A write waits for approval and happens after it",
  async run(bench) {
    const conversation = await bench.session({ prompt: "[[write]] please" });
    const input = await conversation.waitForInput();
    assert.equal(input.kind, "approval");
    assert.ok(
      input.diff?.some(({ path }) => path.endsWith("hello.txt")),
      "the request shows no diff of the file",
    );
    assert.equal((await conversation.view()).state, "waiting");
    assert.deepEqual(
      (await bench.client.inbox()).map(({ id }) => id),
      [input.id],
    );
    assert.equal(bench.file("hello.txt"), undefined);
    await conversation.answer(input, { decision: "allow" });
    const end = await conversation.waitForEnd();
    assert.equal(end.data.outcome, "completed");
    assert.equal(bench.file("hello.txt"), "hello world\n");
    const tool = conversation.of("tool.ended")[0];
    assert.equal(tool?.data.status, "ok");
    const kindOfChange = bench.target.blindToNewFiles ? "update" : "add";
    assert.ok(tool.data.changes?.some(({ path, kind }) => path.endsWith("hello.txt") && kind === kindOfChange));
    await assert.rejects(conversation.answer(input, { decision: "deny" }), { code: "already_answered" });
  },
};

const deny: Scenario = {
  name: "deny",
  title: "A denied write does not happen; the agent gets the reason and continues",
  async run(bench) {
    const conversation = await bench.session({ prompt: "[[write]] please" });
    await conversation.answer(await conversation.waitForInput(), {
      decision: "deny",
      message: "Not in this folder, please.",
    });
    const end = await conversation.waitForEnd();
    assert.equal(end.data.outcome, "completed");
    assert.equal(bench.file("hello.txt"), undefined);
    assert.equal(conversation.of("tool.ended")[0]?.data.status, "denied");
    assert.ok(
      bench.modelRequests().some((body) => body.includes("Not in this folder, please.")),
      "the model did not get the reason",
    );
  },
};

const editInput: Scenario = {
  name: "edit-input",
  title: "The answer can change the input of a tool",
  async run(bench) {
    const conversation = await bench.session({ prompt: "[[write]] please" });
    const input = await conversation.waitForInput();
    const before = input.tool?.input as Record<string, unknown>;
    await conversation.answer(input, { decision: "allow", edits: { ...before, content: "written by a person\n" } });
    assert.equal((await conversation.waitForEnd()).data.outcome, "completed");
    assert.equal(bench.file("hello.txt"), "written by a person\n");
  },
  async checkRefusal(bench) {
    const conversation = await bench.session({ prompt: "[[write]] please" });
    const input = await conversation.waitForInput();
    const edited = conversation.answer(input, { decision: "allow", edits: { content: "written by a person\n" } });
    await assert.rejects(edited, { code: "unsupported" });
    assert.equal(bench.file("hello.txt"), undefined, "the unedited file was written");
    await conversation.answer(input, { decision: "allow" });
    assert.equal((await conversation.waitForEnd()).data.outcome, "completed");
  },
};

const allowSession: Scenario = {
  name: "allow-session",
  title: "An approval for the session lasts until it is revoked",
  async run(bench) {
    const conversation = await bench.session({ prompt: "[[touch]] once" });
    const input = await conversation.waitForInput();
    assert.match(input.scope?.label ?? "", /touch/);
    await conversation.answer(input, { decision: "allow_session" });
    await conversation.waitForEnd();
    const [grant] = await bench.client.grants();
    assert.equal(grant?.input, input.id);

    await conversation.runTurn("[[touch]] twice");
    assert.ok(bench.file("touched.txt") !== undefined);
    const [, second] = conversation.of("input.resolved");
    assert.equal(second?.data.by ?? `grant:${grant.id}`, `grant:${grant.id}`);

    await bench.client.revokeGrant(grant.id);
    assert.deepEqual(await bench.client.grants(), []);
    const asked = conversation.of("input.requested").length;
    await conversation.send("[[touch]] a third time");
    await conversation.answer(await conversation.waitForInput(asked + 1), { decision: "deny" });
    assert.equal((await conversation.waitForEnd(3)).data.outcome, "completed");
    assert.equal(conversation.of("input.resolved").at(-1)?.data.by, "user");
  },
};

export const approvalScenarios = [approve, deny, editInput, allowSession];
