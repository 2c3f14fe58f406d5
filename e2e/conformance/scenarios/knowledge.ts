import assert from "node:assert/strict";
import type { Scenario } from "../scenario.ts";

const row: Scenario = {
  name: "agent-row",
  title: "The installed agent is detected, with the version, login state and models that it reports",
  async run(bench) {
    const { agent, version } = bench.target;
    const found = (await bench.client.agents.list()).find(({ id }) => id === agent);
    assert.equal(found?.state, "ready");
    assert.equal(found.version, version);
    assert.notEqual(found.auth.state, "missing");
    assert.equal(found.models.source, "live");
    assert.ok(found.models.items.length > 0);
    assert.ok(found.path?.startsWith("/"));
  },
  /** Everything except the models is detected, and the models are marked as a fallback list. */
  async checkRefusal(bench) {
    const { agent, version } = bench.target;
    const found = (await bench.client.agents.list()).find(({ id }) => id === agent);
    assert.equal(found?.state, "ready");
    assert.equal(found.version, version);
    assert.notEqual(found.auth.state, "missing");
    assert.equal(found.models.source, "fallback");
    assert.ok(found.path?.startsWith("/"));
  },
};

const usage: Scenario = {
  name: "usage",
  title: "Tokens and cost are counted per turn and summed",
  async run(bench) {
    const conversation = await bench.session();
    const first = await conversation.runTurn("[[text]] one");
    const second = await conversation.runTurn("[[text]] two");
    const view = await conversation.view();
    for (const end of [first, second]) {
      assert.ok((end.data.usage?.output ?? 0) > 0);
      assert.deepEqual(end.data.usage, first.data.usage, "the second turn is billed for the first one too");
    }
    assert.equal(view.usage.input, 2 * (first.data.usage?.input ?? 0));
    const { total, rows } = await bench.client.usage("agent,session");
    assert.equal(total.turns, 2);
    assert.equal(total.usage.input, view.usage.input);
    assert.equal(rows[0]?.agent, bench.target.agent);
  },
};

const cost: Scenario = {
  name: "cost",
  title: "The agent reports the cost of a turn",
  async run(bench) {
    const conversation = await bench.session();
    const end = await conversation.runTurn("[[text]] one");
    assert.equal(end.data.cost?.source, "agent");
    assert.ok(end.data.cost.usd > 0);
    assert.equal((await conversation.view()).cost?.usd, end.data.cost.usd);
  },
  async checkRefusal(bench) {
    const conversation = await bench.session();
    const end = await conversation.runTurn("[[text]] one");
    // There may be one from the list of prices.
    assert.notEqual(end.data.cost?.source, "agent", "the agent reported a cost");
  },
};

const context: Scenario = {
  name: "context-usage",
  title: "The context usage is reported",
  async run(bench) {
    const conversation = await bench.session();
    await conversation.runTurn("[[text]] one");
    await conversation.until("a figure", () => conversation.of("context.usage")[0]);
    const { context } = await conversation.view();
    assert.ok(context && context.used > 0, "there is no context usage");
    assert.ok((context.size ?? 0) > context.used);
  },
  async checkRefusal(bench) {
    const conversation = await bench.session();
    await conversation.runTurn("[[text]] one");
    assert.equal(
      (await conversation.view()).context,
      undefined,
      "there is a context usage that the agent did not report",
    );
  },
};

const commands: Scenario = {
  name: "commands",
  title: "The agent's slash commands are listed",
  async run(bench) {
    const conversation = await bench.session();
    await conversation.runTurn("[[text]] one");
    const command = bench.target.command ?? "compact";
    await conversation.until(`a command ${command}`, () =>
      conversation.of("commands.changed").some(({ data }) => data.list.some(({ name }) => name.includes(command))),
    );
  },
  async checkRefusal(bench) {
    const conversation = await bench.session();
    await conversation.runTurn("[[text]] one");
    assert.deepEqual(
      conversation.of("commands.changed").flatMap(({ data }) => data.list),
      [],
    );
  },
};

const search: Scenario = {
  name: "search",
  title: "Full-text search finds messages",
  async run(bench) {
    const conversation = await bench.session();
    await conversation.runTurn("[[text]] the xylophone");
    const hits = await bench.client.search("xylophone");
    assert.equal(hits[0]?.session, conversation.id);
  },
};

export const knowledgeScenarios = [row, usage, cost, context, commands, search];
