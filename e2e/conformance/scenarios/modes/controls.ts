import assert from "node:assert/strict";
import type { Bench } from "../../../harness/bench.ts";
import type { Scenario } from "../../scenario.ts";

/** Runs a turn with these controls and checks what the session shows afterwards. */
async function checkApplied(bench: Bench, check: NonNullable<Bench["target"]["controls"]>[number]): Promise<void> {
  const { mode, set, applied, modeApplied } = check;
  const conversation = await bench.session({ mode, controls: set });
  const end = await conversation.runTurn("[[text]] hello");
  assert.equal(end.data.outcome, "completed");
  const view = await conversation.view();
  for (const [id, values] of Object.entries(applied)) {
    const found = view.controlsApplied?.[id];
    const what = `${mode} ${JSON.stringify(set)}: ${id} is ${found}, not ${values.join(" or ")}`;
    assert.ok(found !== undefined && values.includes(found), what);
  }
  if (modeApplied) assert.equal(view.modeApplied, modeApplied, `${mode} ${JSON.stringify(set)}`);
  await bench.client.sessions.close(conversation.id);
}

const nativeControls: Scenario = {
  name: "native-controls",
  title: "Every choice of its native controls applies and is read back; none allows more than the mode",
  async run(bench) {
    const { agent, controls = [], tooMuch = {} } = bench.target;
    for (const check of controls) await checkApplied(bench, check);
    const refused = bench.client.sessions.create({ agent, cwd: bench.folder, mode: "plan", controls: tooMuch });
    await assert.rejects(refused, { code: "invalid" });
  },
  async checkRefusal(bench) {
    const { agent } = bench.target;
    const refused = bench.client.sessions.create({ agent, cwd: bench.folder, controls: { sandbox: "read-only" } });
    await assert.rejects(refused, { code: "invalid" });
  },
};

const fast: Scenario = {
  name: "fast",
  title: "Fast is switched on and off in place, and each request shows it",
  appliesTo: ({ fastTier }) => fastTier !== undefined,
  async run(bench) {
    const tierOf = () => (JSON.parse(bench.modelRequests().at(-1) ?? "{}") as Record<string, unknown>).service_tier;
    const { fastTier } = bench.target;
    const conversation = await bench.session({ controls: { fast: "on" } });
    const turn = async (fast: "on" | "off", expected: string | undefined) => {
      await conversation.runTurn("[[text]] hello");
      assert.equal(tierOf(), expected, `fast ${fast}`);
      assert.equal((await conversation.view()).controlsApplied?.fast, fast);
    };
    await turn("on", fastTier);
    const off = await bench.client.sessions.patch(conversation.id, { controls: { fast: "off" } });
    assert.deepEqual(off.applied, [{ field: "controls", value: { fast: "off" }, when: "now" }]);
    await turn("off", undefined);
    await bench.client.sessions.patch(conversation.id, { controls: { fast: "on" } });
    await turn("on", fastTier);
    await bench.client.sessions.patch(conversation.id, { controls: { fast: "off" }, effort: "high" });
    await turn("off", undefined);
  },
};

export const controlScenarios = [nativeControls, fast];
