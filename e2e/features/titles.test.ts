import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { needs } from "@gantry/testkit";
import { describe, expect, test } from "vitest";
import type { Bench } from "../harness/bench.ts";
import { openBench } from "../harness/open-bench.ts";
import { gantryTargets } from "../targets/gantry.ts";
import { areInstalled, newestTarget, VENDOR_BINARIES } from "../targets/installed-agents.ts";

const TIMEOUT_MS = 300_000;
const PROMPT = "Please fix it. [[say:Lighthouse Lamp Repair]]"; // prose-ignore: a marker
const AUTOMATIC = { env: { GANTRY_TEXT_HELPER: "on" } };

/** Runs a turn and waits for the title of a model. Resolves with the request for it and the ledger's row. */
async function titleSession(bench: Bench) {
  const conversation = await bench.session();
  await conversation.runTurn(PROMPT);
  const renamed = await conversation.until("a better title", () =>
    conversation.of("session.updated").find(({ data }) => data.patch.titleBy === "model"),
  );
  // The scripted model answers a request without tools with a fixed title.
  expect(["Lighthouse Lamp Repair", "Scripted title"]).toContain(renamed.data.patch.title);
  const { rows } = await bench.client.usage("session");
  expect((await bench.client.sessions.list()).sessions.map(({ id }) => id)).toEqual([conversation.id]);
  const isTitle = (body: unknown) => JSON.stringify(body).includes("title of a work session");
  const requests = bench.model.requests().filter(({ body }) => isTitle(body));
  return { requests, row: rows.find(({ session }) => session === "scribe") };
}

describe.each(["claude", "codex"].map(newestTarget))("a configured text helper that is $name", (target) => {
  test.skipIf(!areInstalled(target.agent))(
    "generates a title in a conversation that is not listed, and its tokens are counted",
    { ...needs(VENDOR_BINARIES), timeout: TIMEOUT_MS },
    async () => {
      const bench = await openBench(target, { config: { scribe: { agent: target.agent } } });
      const { requests, row } = await titleSession(bench);
      expect(requests.length).toBeGreaterThan(0);
      expect(row?.turns).toBe(1);
      expect(row?.usage.output).toBeGreaterThan(0);
      if (target.agent !== "codex") return;
      const { conversations } = await bench.client.agents.conversations("codex");
      expect(conversations).toHaveLength(1);
    },
  );
});

describe("without configuration", () => {
  const claude = newestTarget("claude");
  test.skipIf(!areInstalled("claude"))(
    `the small model of ${claude.name} titles a session with one short request without tools`,
    { ...needs(VENDOR_BINARIES), timeout: TIMEOUT_MS },
    async () => {
      const bench = await openBench(claude, AUTOMATIC);
      const { requests, row } = await titleSession(bench);
      expect(row).toMatchObject({ turns: 1 });
      expect(requests).toHaveLength(1);
      const { model, body } = requests[0]!;
      expect(model).toContain("haiku");
      const { tools = [] } = body as { tools?: unknown[] };
      expect(tools).toEqual([]);
      expect(JSON.stringify(body).length).toBeLessThan(10_000);
    },
  );

  describe.each(["opencode", "kilo"].map(newestTarget))("small_model of the configuration of $name", (target) => {
    test.skipIf(!areInstalled(target.agent))(
      "titles a session, also if another small model is listed",
      { ...needs(VENDOR_BINARIES), timeout: TIMEOUT_MS },
      async () => {
        const bench = await openBench(target, { ...AUTOMATIC, config: { scribe: { seconds: 120 } } });
        const file = join(bench.home, ".config", target.agent, `${target.agent}.json`);
        const settings = JSON.parse(readFileSync(file, "utf8"));
        writeFileSync(file, JSON.stringify({ ...settings, small_model: "scripted/scripted-other" }));
        const { requests, row } = await titleSession(bench);
        expect(row).toMatchObject({ turns: 1 });
        // The agent may also request a title of the helper's conversation.
        expect(new Set(requests.map(({ model }) => model))).toEqual(new Set(["scripted-other"]));
      },
    );
  });

  test("a model of the own agent's provider titles a session of the own agent", { timeout: TIMEOUT_MS }, async () => {
    const [target] = gantryTargets;
    const bench = await openBench(target!, AUTOMATIC);
    const file = join(bench.home, "gantry-agent", "models.yml");
    const { providers } = JSON.parse(readFileSync(file, "utf8"));
    const cost = { input: 0.1, output: 0.4, cacheRead: 0, cacheWrite: 0 };
    for (const one of providers.scripted.models) if (one.id === "scripted-mini") one.cost = cost;
    writeFileSync(file, JSON.stringify({ providers }));
    const { requests, row } = await titleSession(bench);
    expect(requests.map(({ model }) => model)).toEqual(["scripted-mini"]);
    expect(row).toMatchObject({ turns: 1 });
    expect(row?.usage.output).toBeGreaterThan(0);
  });
});
