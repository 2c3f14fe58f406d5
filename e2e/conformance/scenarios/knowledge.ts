import assert from "node:assert/strict";
import type { Scenario } from "../scenario.ts";

const row: Scenario = {
  name: "agent-row",
  title: "The installed agent is found, with version, login and models as it tells them itself",
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
  /** Everything but the models is told, and of those it is said that nobody named them. */
  async refused(bench) {
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
  title: "Tokens and cost are counted per turn and summed up",
  async run(bench) {
    const talk = await bench.session();
    const first = await talk.completes("[[text]] one");
    const second = await talk.completes("[[text]] two");
    const view = await talk.view();
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
  title: "The agent's own figure for the cost of a turn",
  async run(bench) {
    const talk = await bench.session();
    const end = await talk.completes("[[text]] one");
    assert.equal(end.data.cost?.source, "agent");
    assert.ok(end.data.cost.usd > 0);
    assert.equal((await talk.view()).cost?.usd, end.data.cost.usd);
  },
  async refused(bench) {
    const talk = await bench.session();
    const end = await talk.completes("[[text]] one");
    assert.equal(end.data.cost, undefined, "a cost is told that the agent did not tell");
  },
};

const context: Scenario = {
  name: "context-usage",
  title: "How full the context is",
  async run(bench) {
    const talk = await bench.session();
    await talk.completes("[[text]] one");
    await talk.until("a figure", () => talk.of("context.usage")[0]);
    const { context } = await talk.view();
    assert.ok(context && context.used > 0, "nothing is told");
    assert.ok((context.size ?? 0) > context.used);
  },
  async refused(bench) {
    const talk = await bench.session();
    await talk.completes("[[text]] one");
    assert.equal((await talk.view()).context, undefined, "a figure is told that the agent did not tell");
  },
};

const commands: Scenario = {
  name: "commands",
  title: "The agent's slash commands are listed",
  async run(bench) {
    const talk = await bench.session();
    await talk.completes("[[text]] one");
    const wanted = bench.target.command ?? "compact";
    await talk.until(`a command ${wanted}`, () =>
      talk.of("commands.changed").some(({ data }) => data.list.some(({ name }) => name.includes(wanted))),
    );
  },
  async refused(bench) {
    const talk = await bench.session();
    await talk.completes("[[text]] one");
    assert.deepEqual(talk.of("commands.changed"), []);
  },
};

const search: Scenario = {
  name: "search",
  title: "What was said is found by full-text search",
  async run(bench) {
    const talk = await bench.session();
    await talk.completes("[[text]] the xylophone");
    const hits = await bench.client.search("xylophone");
    assert.equal(hits[0]?.session, talk.id);
  },
};

export const knowledgeScenarios = [row, usage, cost, context, commands, search];
