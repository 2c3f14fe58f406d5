import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Bench } from "../../../harness/bench.ts";
import type { Conversation } from "../../../harness/conversation.ts";
import { type OwnConfig, ownConfigs, promiseName } from "../../../harness/setting.ts";
import type { Scenario } from "../../scenario.ts";

const rungs = ["plan", "ask", "auto-edit", "full-auto"] as const;
type PromisedMode = (typeof rungs)[number];

const configs: Record<OwnConfig, string> = {
  permissive: "the user's own configuration allows everything",
  project: "the project's own configuration allows everything",
  restrictive: "the user's own configuration asks for everything",
};

const promises: Record<PromisedMode, { title: string; check(bench: Bench): Promise<void> }> = {
  plan: { title: "plan changes nothing", check: checkPlan },
  ask: { title: "ask asks before the first change", check: checkAsk },
  "auto-edit": { title: "auto-edit edits without asking and asks for commands", check: checkAutoEdit },
  "full-auto": { title: "full-auto asks nothing", check: checkFullAuto },
};

/** Every mode with every kind of own configuration. The session must also report the mode that applies. */
export const promiseScenarios: readonly Scenario[] = ownConfigs.flatMap((own) =>
  rungs.map(
    (mode): Scenario => ({
      name: promiseName(mode, own),
      title: `${promises[mode].title}, although ${configs[own]}`,
      setting: { own },
      unbilled: true,
      run: async (bench) => {
        await trustProject(bench, own);
        await promises[mode].check(bench);
      },
      checkRefusal: async (bench) => {
        await trustProject(bench, own);
        await checkWarning(bench, mode);
      },
    }),
  ),
);

/** Without trust, an agent does not use the project's configuration at all. */
async function trustProject(bench: Bench, own: OwnConfig): Promise<void> {
  if (own === "project") await bench.client.trust.put({ path: bench.folder });
}

async function checkPlan(bench: Bench): Promise<void> {
  const before = filesOf(bench.folder);
  const conversation = await bench.session({ mode: "plan" });
  for (const [index, prompt] of ["[[write]] please", "[[bash]] please"].entries()) {
    await conversation.send(prompt);
    await denyUntilEnd(conversation, index + 1);
    assert.deepEqual(filesOf(bench.folder), before, `plan mode changed the folder after ${prompt}`);
  }
  await checkApplied(conversation, "plan");
}

async function checkAsk(bench: Bench): Promise<void> {
  const conversation = await bench.session({ mode: "ask" });
  await checkAsks(bench, conversation, "[[write]] please", "hello.txt");
  await checkAsks(bench, conversation, "[[bash]] please", "bash.txt");
  await checkApplied(conversation, "ask");
}

async function checkAutoEdit(bench: Bench): Promise<void> {
  const conversation = await bench.session({ mode: "auto-edit" });
  await conversation.runTurn("[[write]] please");
  assert.equal(bench.file("hello.txt"), "hello world\n");
  assertAskedNothing(conversation);
  if (!bench.target.freeCommands) await checkAsks(bench, conversation, "[[bash]] please", "bash.txt");
  await checkApplied(conversation, "auto-edit");
}

async function checkFullAuto(bench: Bench): Promise<void> {
  const conversation = await bench.session({ mode: "full-auto" });
  await conversation.runTurn("[[write]] please");
  await conversation.runTurn("[[bash]] please");
  assert.equal(bench.file("hello.txt"), "hello world\n");
  assert.equal(bench.file("bash.txt"), "hi-from-bash\n");
  assertAskedNothing(conversation);
  await checkApplied(conversation, "full-auto");
}

/**
 * No request reached a person. The mode itself answers those of the agent's own rules, and of versions that ask in every
 * mode.
 */
export function assertAskedNothing(conversation: Conversation): void {
  const answered = conversation.of("input.resolved").filter(({ data }) => data.by.startsWith("mode:"));
  assert.equal(conversation.of("input.requested").length, answered.length, "it asked");
}

/** The agent asks before it creates `name`, and creates nothing when the answer is no. */
async function checkAsks(bench: Bench, conversation: Conversation, prompt: string, name: string): Promise<void> {
  const turn = conversation.of("turn.ended").length + 1;
  const asked = conversation.of("input.requested").length;
  await conversation.send(prompt);
  await conversation.until(
    "a request or the end",
    () => conversation.of("input.requested")[asked] ?? conversation.of("turn.ended")[turn - 1],
  );
  assert.equal(bench.file(name), undefined, `${name} was created without asking`);
  assert.ok(conversation.of("input.requested").length > asked, `${prompt} was not asked for`);
  await denyUntilEnd(conversation, turn);
  assert.equal(bench.file(name), undefined, `${name} was created although it was denied`);
}

/** Denies every request until the turn with this number ends. */
async function denyUntilEnd(conversation: Conversation, turn: number): Promise<void> {
  const answered = new Set<string>();
  await conversation.until(`the end of turn ${turn}`, () => {
    for (const { data } of conversation.of("input.requested")) {
      const settled = conversation.of("input.resolved").some((event) => event.data.id === data.id);
      if (settled || answered.has(data.id)) continue;
      answered.add(data.id);
      void conversation.answer(data, { decision: "deny" }).catch(() => undefined);
    }
    return conversation.of("turn.ended")[turn - 1];
  });
}

async function checkApplied(conversation: Conversation, mode: PromisedMode): Promise<void> {
  const view = await conversation.view();
  assert.deepEqual([view.mode, view.modeApplied], [mode, mode]);
  const broken = conversation.of("notice").filter(({ data }) => data.kind === "mode_broken");
  assert.deepEqual(broken, []);
}

/** The mode cannot be enforced: the agent's row and the session report it before the first turn. */
async function checkWarning(bench: Bench, mode: PromisedMode): Promise<void> {
  const { agent } = await bench.client.agents.get(bench.target.agent);
  assert.ok(agent.unenforced?.[mode], "the agent's row does not report it");
  const conversation = await bench.session({ mode });
  assert.equal((await conversation.view()).unenforced?.[mode], agent.unenforced[mode]);
  const [warning] = conversation.of("notice");
  assert.match(warning?.data.text ?? "", /cannot be enforced/);
  assert.equal(conversation.of("turn.started").length, 0);
}

/** The content of every file, without the folders in which agents store their own configuration and state. */
function filesOf(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => !name.startsWith("."));
  const files = names.filter((name) => statSync(join(folder, name)).isFile()).sort();
  return Object.fromEntries(files.map((name) => [name, readFileSync(join(folder, name), "base64")]));
}
