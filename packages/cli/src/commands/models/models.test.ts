import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { inProcess } from "../../command-line.harness.ts";

const home = mkdtempSync(join(tmpdir(), "gantry-cli-models-"));
const file = join(home, "agent/models.yml");
const gantry = (...args: string[]) => inProcess(home, args);
const json = async (...args: string[]) => JSON.parse((await gantry(...args, "--json")).stdout);
afterAll(() => rmSync(home, { recursive: true, force: true }));

const MINE = `# mine
providers:
  mine:
    baseUrl: http://127.0.0.1:9/v1
    apiKey: sk-secret-of-mine
    authHeader: true
    api: openai-completions
    models: [{id: claude-opus-4-8, reasoning: true}, {id: other}]
`;

function write(text: string): void {
  mkdirSync(join(home, "agent"), { recursive: true });
  writeFileSync(file, text);
}

test("without a login it explains how to log in, and lists all models on request", async () => {
  const { status, stdout } = await gantry("models");
  expect(status).toBe(0);
  expect(stdout).toContain("you are not logged in");
  expect(stdout).toContain("gantry auth login anthropic");
  const all = (await gantry("models", "list", "--all", "--provider", "anthropic")).stdout;
  expect(all).toMatch(/✗ +anthropic\/claude-opus-4-8 +claude-opus-4-8 +1M +128k +low–max +yes +5\/25/i);
  expect((await gantry("models", "list", "no-such-model", "--all")).stdout).toContain(
    'No model matches "no-such-model"',
  );
});

test("prints each model once, also if several providers have it", async () => {
  const lines = (await gantry("models", "list", "--all")).stdout.split("\n").filter((line) => /^[✓✗]/.test(line));
  const selectors = lines.map((line) => line.split(/ +/)[1]);
  expect(selectors.length).toBeGreaterThan(50);
  expect(new Set(selectors).size).toBe(selectors.length);
});

test("lists models by provider with the name that resolves to each, and prints problems", async () => {
  write(`${MINE}  bad: {modelz: 1}\n`);
  const { stdout, stderr } = await gantry("models");
  expect(stdout).toMatch(/✓ +mine\/claude-opus-4-8 +claude-opus-4-8/);
  expect(stdout).toMatch(/✓ +mine\/other/);
  expect(stderr).toContain(`${file}:9:9 providers.bad.modelz: Unknown key "modelz". Did you mean "models"?`);
  const listed = await json("models", "list", "opus");
  expect(listed.models).toMatchObject([{ selector: "mine/claude-opus-4-8", available: true }]);
  expect(JSON.stringify(await json("models", "list", "--all"))).not.toContain("sk-secret");
});

test("explains how a selector is resolved", async () => {
  write(MINE);
  const { stdout } = await gantry("models", "resolve", "claude-opus-4-8:max");
  expect(stdout).toMatch(/✓ mine\/claude-opus-4-8\n/);
  expect(stdout).toMatch(/thinking +high/);
  expect(stdout).toContain("1. ");
  expect(await json("models", "resolve", "gantry/executor")).toMatchObject({
    model: { provider: "mine" },
    why: expect.any(Array),
  });
  expect(await gantry("models", "resolve", "nothing like it")).toMatchObject({
    status: 2,
    stderr: expect.stringContaining("No model matches"),
  });
});

test("shows profiles", async () => {
  const { stdout } = await gantry("models", "profiles");
  expect(stdout).toMatch(/✗ +codex-eco +built-in +needs openai-codex/);
  const one = (await gantry("models", "profiles", "codex-eco")).stdout;
  expect(one).toMatch(/executor +openai-codex\/gpt-5\.5 +low \(minimal is not available\)/);
  expect((await json("models", "profiles")).profiles).toHaveLength(25);
  expect(await gantry("models", "profiles", "no-such")).toMatchObject({ status: 2 });
});

test("adds a provider without its key and leaves the rest of the file unchanged", async () => {
  write(MINE);
  const { stdout, stderr } = await gantry("models", "add", "--preset", "glm");
  expect(stdout).toBe(`glm-proxy was added to ${file}.\n  glm-proxy/glm-4.6\n`);
  expect(stderr).toContain("ZAI_API_KEY");
  expect(readFileSync(file, "utf8").startsWith(MINE)).toBe(true);
  expect((await gantry("models", "add", "--preset", "z-ai")).stdout).toContain("already");
  expect(await gantry("models", "add", "--preset", "wild")).toMatchObject({ status: 2 });
  write("providers: [");
  expect(await gantry("models", "add", "--preset", "glm")).toMatchObject({
    stderr: expect.stringContaining(`${file}:1:`),
  });
  expect(existsSync(join(home, "daemon.json"))).toBe(false);
});
