import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { plantCanaries, type ScriptedModel, startScriptedModel } from "@gantry/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { AgentOptions } from "./options.ts";
import { type StartedAgent, startAgent } from "./start-agent.ts";

let home: string;
let cwd: string;
let agentDir: string;
let secret: Record<string, string>;
let model: ScriptedModel;
const started: StartedAgent[] = [];

beforeEach(async () => {
  home = mkdtempSync(join(realpathSync(tmpdir()), "gantry-start-"));
  cwd = join(home, "project");
  agentDir = join(home, "agent");
  mkdirSync(cwd);
  secret = plantCanaries(agentDir);
  model = await startScriptedModel();
  writeFileSync(
    join(agentDir, "models.yml"),
    `providers:
  scripted:
    baseUrl: ${model.url}/v1
    api: openai-completions
    auth: none
    models:
      - id: scripted-model
        contextWindow: 200000
        maxTokens: 8192
`,
  );
});

afterEach(async () => {
  for (const { session, registry, credentials } of started.splice(0)) {
    await session.dispose();
    registry.close();
    credentials.close();
  }
  await model.close();
  rmSync(home, { recursive: true, force: true });
});

async function start(more: Partial<AgentOptions> = {}): Promise<StartedAgent> {
  const env = { PATH: process.env.PATH, HOME: home, GANTRY_HOME: home, GANTRY_AGENT_DIR: agentDir, ...secret };
  const agent = await startAgent({ env, home, cwd, model: "scripted/scripted-model", mode: "full-auto", ...more });
  started.push(agent);
  return agent;
}

async function sendPrompt({ session }: StartedAgent, text: string): Promise<string | null> {
  await session.prompt(text);
  await session.waitUntilSettled();
  return session.lastAssistantText();
}

/** The last request as the provider got it. */
const lastRequest = () => JSON.stringify(model.requests().at(-1)?.body);

describe("a started agent", () => {
  it("works in its folder and stores the conversation, which a fork continues", async () => {
    const first = await start();
    await sendPrompt(first, "[[write]] the heron");
    expect(readFileSync(join(cwd, "hello.txt"), "utf8")).toBe("hello world\n");
    const { sessionId } = first.session.state();
    await first.session.dispose();
    const copy = await start({ fork: sessionId });
    expect(copy.session.state().sessionId).not.toBe(sessionId);
    await sendPrompt(copy, "[[text]] continue");
    expect(lastRequest()).toContain("the heron");
    await expect(start({ fork: "missing" })).rejects.toThrow("No session found matching 'missing'.");
  });

  it("gives the model its folder and skills, and reads a skill", async () => {
    const skills = join(home, "skills");
    mkdirSync(join(skills, "parcels"), { recursive: true });
    writeFileSync(join(skills, "parcels", "SKILL.md"), "---\ndescription: How parcels are sent.\n---\nWith string.\n");
    const agent = await start({ skills: [skills], appendSystemPrompt: "Be brief." });
    await sendPrompt(agent, "[[text]] hello");
    for (const expected of [`Working directory: ${cwd}`, "skill://parcels: How parcels are sent.", "Be brief."]) {
      expect(lastRequest()).toContain(expected);
    }
  });

  it("uses no memory of other sessions unless memories are enabled", async () => {
    const agent = await start();
    await sendPrompt(agent, "[[text]] hello");
    expect(agent.session.tools().length).toBeGreaterThan(5);
    expect(existsSync(join(agentDir, "memory.db"))).toBe(false);
    expect(lastRequest()).not.toContain("memory://");
  });

  it("reports problems in the user's files and still works", async () => {
    mkdirSync(join(cwd, ".gantry", "rules"), { recursive: true });
    writeFileSync(join(cwd, ".gantry", "rules", "bad.md"), "---\ncondition: '('\n---\nNever.\n");
    writeFileSync(join(agentDir, "config.yml"), "compaction:\n  enabled: perhaps\nsecrets.enabled: true\n");
    const agent = await start();
    expect(agent.problems.join("\n")).toMatch(/bad\.md/);
    expect(agent.problems.join("\n")).toMatch(/config\.yml:2/);
    expect(await sendPrompt(agent, "[[text]] hello")).toContain("42");
  });

  it("uses a profile for this run and stores it only on request", async () => {
    const models = readFileSync(join(agentDir, "models.yml"), "utf8");
    const profile =
      "profiles:\n  team: {required_providers: [scripted], model_mapping: {default: scripted/scripted-model}}\n";
    writeFileSync(join(agentDir, "models.yml"), models + profile);
    await start({ profile: "team" });
    expect(readFileSync(join(agentDir, "config.yml"), "utf8")).not.toContain("team");
    await start({ profile: "team", keepProfile: true });
    expect(readFileSync(join(agentDir, "config.yml"), "utf8")).toContain("default: team");
    await expect(start({ profile: "codex-pro", keepProfile: true })).rejects.toThrow("needs a credential for");
    expect(readFileSync(join(agentDir, "config.yml"), "utf8")).toContain("default: team");
  });

  it.each([
    ["an unknown tool", { tools: ["nosuch"] }],
    ["an unknown tool in a fork", { tools: ["nosuch"], fork: "first" }],
    ["an unknown tool in a resumed session", { tools: ["nosuch"], resume: "first" }],
    ["an unknown tool in the last session", { tools: ["nosuch"], continueRecent: true }],
    ["an unknown session to resume", { resume: "nope" }],
    ["an unknown session to fork", { fork: "nope" }],
    ["an unknown profile", { profile: "nope", keepProfile: true }],
    ["an unknown session and a profile to store", { profile: "team", keepProfile: true, resume: "nope" }],
    ["an unknown tool and a profile to store", { profile: "team", keepProfile: true, tools: ["nosuch"] }],
  ])("leaves nothing behind after %s", async (_what, options: Partial<AgentOptions>) => {
    const profile = "profiles:\n  team: {model_mapping: {default: scripted/scripted-model}}\n";
    writeFileSync(join(agentDir, "models.yml"), readFileSync(join(agentDir, "models.yml"), "utf8") + profile);
    const first = await start();
    await sendPrompt(first, "[[text]] hello");
    const { id } = first.session;
    await first.session.dispose();
    const named = Object.entries(options).map(([key, value]) => [key, value === "first" ? id : value]);
    const files = () => readdirSync(join(agentDir, "sessions"), { recursive: true }).toSorted();
    const config = () => readFileSync(join(agentDir, "config.yml"), "utf8");
    const before = [files(), config()];
    await expect(start(Object.fromEntries(named))).rejects.toThrow(/^(There is no (tool|profile) |No session found)/);
    expect([files(), config()]).toEqual(before);
    const again = await start({ resume: id });
    expect(again.problems.join()).not.toContain("in use");
  });

  it("queries local model servers before it reports that no model is available", async () => {
    const ollama = createServer((request, response) => {
      const answer = request.url === "/api/tags" ? { models: [{ name: "heron:8b" }] } : {};
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
    });
    await new Promise<void>((resolve) => ollama.listen(0, "127.0.0.1", resolve));
    const OLLAMA_BASE_URL = `http://127.0.0.1:${(ollama.address() as AddressInfo).port}`;
    const env = { PATH: process.env.PATH, HOME: home, GANTRY_HOME: home, GANTRY_AGENT_DIR: agentDir, OLLAMA_BASE_URL };
    const { session } = await start({ env, model: "heron" });
    expect(session.state().model).toMatchObject({ provider: "ollama", id: "heron:8b" });
    ollama.close();
  });
});
