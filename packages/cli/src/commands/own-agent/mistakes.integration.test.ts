import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ScriptedModel, startScriptedModel } from "@gantry/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { commandLine, type Runner } from "../../command-line.harness.ts";
import { exitCodes } from "../../program/exit-codes.ts";

/** Mistakes in a call of `gantry agent`: what the user reads, and the exit status. */
describe("a mistake in a call of the own agent", () => {
  let folder: string;
  let model: ScriptedModel;
  const gantry: Record<string, Runner> = {};

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "gantry-mistakes-"));
    model = await startScriptedModel({ defaults: { pace: 0 } });
    for (const name of ["with", "without", "work"]) mkdirSync(join(folder, name, "agent"), { recursive: true });
    const models = [{ id: "one", contextWindow: 200_000, maxTokens: 8_000 }];
    const scripted = { baseUrl: `${model.url}/v1`, api: "openai-completions", auth: "none", models };
    writeFileSync(join(folder, "with", "agent", "models.yml"), JSON.stringify({ providers: { scripted } }));
    for (const name of ["with", "without"]) gantry[name] = commandLine(join(folder, name));
  });
  afterAll(async () => {
    await model.close();
    rmSync(folder, { recursive: true });
  });

  it.each([
    ["with", ["--model", "nope/x"], exitCodes.usage, "There is no model nope/x."],
    ["without", ["--model", "nope/x"], exitCodes.usage, "There is no model nope/x."],
    ["with", ["--resume", "nope"], exitCodes.usage, "No session found matching 'nope'."],
    ["without", ["--resume", "nope"], exitCodes.usage, "No session found matching 'nope'."],
    ["without", ["--fork", "zzz"], exitCodes.usage, "No session found matching 'zzz'."],
    ["without", ["--tools", "nosuch"], exitCodes.usage, "There is no tool nosuch."],
    ["without", ["--mpreset", "x"], exitCodes.usage, 'There is no profile "x".'],
    ["without", ["--mpreset", "codex-pro"], exitCodes.environment, "needs a credential for"],
    ["without", [], exitCodes.environment, "you are not logged in to any provider"],
    ["with", ["--mode", "rpc", "--tools", "nosuch"], exitCodes.usage, "There is no tool nosuch."],
    ["with", ["--mode", "json", "--model", "nope/x"], exitCodes.usage, "There is no model nope/x."],
  ])("%s a provider, with %j, exits with %i", async (home, args, status, message) => {
    const prompt = args.includes("rpc") ? [] : ["-p", "hi"];
    const result = await gantry[home]!(["agent", ...prompt, ...args], { cwd: join(folder, "work") });
    expect(result).toMatchObject({ status, stderr: expect.stringContaining(message) });
    expect(result.stderr).not.toContain("unforeseen");
    expect(readdirSync(join(folder, "work"))).toEqual(["agent"]);
    const sessions = join(folder, home, "agent", "sessions");
    expect(existsSync(sessions) ? readdirSync(sessions, { recursive: true }) : []).toEqual([]);
  });
});
