import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type ScriptedModel, startScriptedModel } from "@gantry/testkit";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { AgentEvent } from "../contract/events.ts";
import type { AgentOptions } from "./options.ts";
import { type StartedAgent, startAgent } from "./start-agent.ts";

let home: string;
let cwd: string;
let model: ScriptedModel;
const started: StartedAgent[] = [];

beforeEach(async () => {
  home = mkdtempSync(join(realpathSync(tmpdir()), "gantry-rules-"));
  cwd = join(home, "repo/app");
  model = await startScriptedModel();
  put("repo/.git/HEAD", "ref: refs/heads/main\n");
  put("repo/app/README.md", "");
  put(
    "agent/models.yml",
    `providers:
  scripted:
    baseUrl: ${model.url}/v1
    api: openai-completions
    auth: none
    models: [{ id: m, contextWindow: 200000, maxTokens: 8192 }]
`,
  );
});

afterEach(async () => {
  for (const agent of started.splice(0)) await close(agent);
  await model.close();
  rmSync(home, { recursive: true, force: true });
});

function put(path: string, text: string): void {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), text);
}

async function close({ session, registry, credentials }: StartedAgent): Promise<void> {
  await session.dispose();
  registry.close();
  credentials.close();
}

async function start(more: Partial<AgentOptions> = {}): Promise<StartedAgent> {
  const env = { PATH: process.env.PATH, HOME: home, GANTRY_HOME: home, GANTRY_AGENT_DIR: join(home, "agent") };
  const agent = await startAgent({ env, home, cwd, model: "scripted/m", mode: "full-auto", ...more });
  started.push(agent);
  return agent;
}

/** What happened until the agent was done with it. */
async function sendPrompt({ session }: StartedAgent, text: string): Promise<AgentEvent[]> {
  const events: AgentEvent[] = [];
  const leave = session.subscribe((event) => events.push(event));
  await session.prompt(text);
  await session.waitUntilSettled();
  leave();
  return events;
}

const sentBodies = () => model.requests().map(({ body }) => JSON.stringify(body));
const times = (text: string, word: string) => text.split(word).length - 1;

it("injects each kind of rule at the right time", async () => {
  put(".claude/CLAUDE.md", "OF THE USER");
  put("repo/CLAUDE.md", "OF THE ROOT\n@docs/style.md");
  put("repo/docs/style.md", "BROUGHT IN");
  put("repo/app/inner/AGENTS.md", "OF THE INNER FOLDER");
  put("repo/app/.gantry/rules/always.md", "---\nalwaysApply: true\n---\nALWAYS APPLIED");
  put("repo/app/.gantry/rules/book.md", "---\ndescription: for parcels\n---\nIN THE BOOK");
  put("repo/app/.gantry/rules/texts.md", "---\nglobs: ['*.txt', '!secret/**']\n---\nFOR TEXTS");
  const agent = await start();
  expect(agent.problems).toEqual([]);
  await sendPrompt(agent, "[[text]] hello");
  const [first = ""] = sentBodies();
  for (const expected of ["OF THE USER", "OF THE ROOT", "BROUGHT IN", "ALWAYS APPLIED", "rule://book`: for parcels"]) {
    expect(first).toContain(expected);
  }
  for (const deferred of ["IN THE BOOK", "FOR TEXTS", "OF THE INNER FOLDER"]) expect(first).not.toContain(deferred);
  await sendPrompt(agent, "[[writeto:inner/note.txt]] write it");
  const last = sentBodies().at(-1) ?? "";
  expect([times(last, "FOR TEXTS"), times(last, "OF THE INNER FOLDER")]).toEqual([1, 1]);
  await sendPrompt(agent, "[[writeto:inner/more.txt]] write another");
  expect(times(sentBodies().at(-1) ?? "", "FOR TEXTS")).toBe(1);
});

it("interrupts an answer once for a stream rule, and not again after a resume", async () => {
  put("repo/app/.gantry/rules/numbers.md", "---\ncondition: 'The answer is 42'\n---\nNO NUMBERS");
  const first = await start();
  const events = await sendPrompt(first, "[[text]] hello");
  expect(events.filter(({ type }) => type === "ttsr_triggered")).toHaveLength(1);
  expect(sentBodies()).toHaveLength(2);
  expect(times(sentBodies().at(-1) ?? "", "NO NUMBERS")).toBe(1);
  const { sessionId } = first.session.state();
  await close(started.splice(0)[0]!);
  const resumed = await start({ resume: sessionId });
  const more = await sendPrompt(resumed, "[[text]] hello again");
  expect(more.filter(({ type }) => type === "ttsr_triggered")).toEqual([]);
  expect(sentBodies()).toHaveLength(3);
  const fresh = await start();
  expect((await sendPrompt(fresh, "[[text]] hello")).some(({ type }) => type === "ttsr_triggered")).toBe(true);
});
