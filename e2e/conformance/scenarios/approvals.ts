import assert from "node:assert/strict";
import type { Scenario } from "../scenario.ts";

const approve: Scenario = {
  name: "approve",
  title: "A write waits for a person and happens once it is allowed",
  async run(bench) {
    const talk = await bench.session({ prompt: "[[write]] please" });
    const input = await talk.asked();
    assert.equal(input.kind, "approval");
    assert.ok(
      input.diff?.some(({ path }) => path.endsWith("hello.txt")),
      "the request shows no diff of the file",
    );
    assert.equal((await talk.view()).state, "waiting");
    assert.deepEqual(
      (await bench.client.inbox()).map(({ id }) => id),
      [input.id],
    );
    assert.equal(bench.file("hello.txt"), undefined);
    await talk.answer(input, { decision: "allow" });
    const end = await talk.ended();
    assert.equal(end.data.outcome, "completed");
    assert.equal(bench.file("hello.txt"), "hello world\n");
    const tool = talk.of("tool.ended")[0];
    assert.equal(tool?.data.status, "ok");
    const kindOfChange = bench.target.blindToNewFiles ? "update" : "add";
    assert.ok(tool.data.changes?.some(({ path, kind }) => path.endsWith("hello.txt") && kind === kindOfChange));
    await assert.rejects(talk.answer(input, { decision: "deny" }), { code: "already_answered" });
  },
};

const deny: Scenario = {
  name: "deny",
  title: "A denied write does not happen; the agent hears why and goes on",
  async run(bench) {
    const talk = await bench.session({ prompt: "[[write]] please" });
    await talk.answer(await talk.asked(), { decision: "deny", message: "Not in this folder, please." });
    const end = await talk.ended();
    assert.equal(end.data.outcome, "completed");
    assert.equal(bench.file("hello.txt"), undefined);
    assert.equal(talk.of("tool.ended")[0]?.data.status, "denied");
    assert.ok(
      bench.asked().some((body) => body.includes("Not in this folder, please.")),
      "the model never heard the reason",
    );
  },
};

const editInput: Scenario = {
  name: "edit-input",
  title: "What a tool is about to do can be changed with the answer",
  async run(bench) {
    const talk = await bench.session({ prompt: "[[write]] please" });
    const input = await talk.asked();
    const before = input.tool?.input as Record<string, unknown>;
    await talk.answer(input, { decision: "allow", edits: { ...before, content: "written by a person\n" } });
    assert.equal((await talk.ended()).data.outcome, "completed");
    assert.equal(bench.file("hello.txt"), "written by a person\n");
  },
  async refused(bench) {
    const talk = await bench.session({ prompt: "[[write]] please" });
    const input = await talk.asked();
    const edited = talk.answer(input, { decision: "allow", edits: { content: "written by a person\n" } });
    await assert.rejects(edited, { code: "unsupported" });
    assert.equal(bench.file("hello.txt"), undefined, "the unedited file was written");
    await talk.answer(input, { decision: "allow" });
    assert.equal((await talk.ended()).data.outcome, "completed");
  },
};

const allowSession: Scenario = {
  name: "allow-session",
  title: "Allowed for the session: not asked again until it is revoked",
  async run(bench) {
    const talk = await bench.session({ prompt: "[[touch]] once" });
    const input = await talk.asked();
    assert.match(input.scope?.label ?? "", /touch/);
    await talk.answer(input, { decision: "allow_session" });
    await talk.ended();
    const [grant] = await bench.client.grants();
    assert.equal(grant?.input, input.id);

    await talk.completes("[[touch]] twice");
    assert.ok(bench.file("touched.txt") !== undefined);
    const [, second] = talk.of("input.resolved");
    assert.equal(second?.data.by ?? `grant:${grant.id}`, `grant:${grant.id}`);

    await bench.client.revokeGrant(grant.id);
    assert.deepEqual(await bench.client.grants(), []);
    const asked = talk.of("input.requested").length;
    await talk.send("[[touch]] a third time");
    await talk.answer(await talk.asked(asked + 1), { decision: "deny" });
    assert.equal((await talk.ended(3)).data.outcome, "completed");
    assert.equal(talk.of("input.resolved").at(-1)?.data.by, "user");
  },
};

export const approvalScenarios = [approve, deny, editInput, allowSession];
