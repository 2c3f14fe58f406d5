import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bareEnvironment, spawnLines } from "@gantry/testkit";
import { afterEach, beforeEach, expect, test } from "vitest";
import { gantryProgram, useBundle } from "../harness/daemon-process.ts";

/** The allowed start time in units of an empty Node start; it is six on an idle machine. */
const MAX_RATIO = 14;
const RUNS = 6;

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "gantry-agent-start-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }));

test("the agent answers get_state within the time of 14 empty Node starts", { timeout: 300_000 }, async () => {
  useBundle();
  const agentDir = join(home, "agent");
  mkdirSync(agentDir);
  const models = [{ id: "scripted-model", contextWindow: 200_000, maxTokens: 8192 }];
  const scripted = { baseUrl: "http://127.0.0.1:9/v1", api: "openai-completions", auth: "none", models };
  writeFileSync(join(agentDir, "models.yml"), JSON.stringify({ providers: { scripted } }));
  const env = { ...bareEnvironment(home), GANTRY_HOME: home, GANTRY_AGENT_DIR: agentDir };
  const args = ["--disable-warning=ExperimentalWarning", gantryProgram(), "agent", "--mode", "rpc"];
  const ours: number[] = [];
  const empty: number[] = [];
  // Alternate, so that both see the same load. The minimum of each is the least disturbed measurement.
  for (let run = 0; run < RUNS; run += 1) {
    const from = performance.now();
    const client = spawnLines(process.execPath, [...args, "--model", "scripted/scripted-model"], { cwd: home, env });
    client.send({ id: "1", type: "get_state" });
    const state = await client.waitFor(({ id }) => id === "1");
    ours.push(performance.now() - from);
    expect(state).toMatchObject({ success: true, data: { model: { id: "scripted-model" } } });
    client.hangUp();
    await client.exit;
    const began = performance.now();
    execFileSync(process.execPath, ["-e", ""], { env });
    empty.push(performance.now() - began);
  }
  expect(Math.min(...ours) / Math.min(...empty)).toBeLessThan(MAX_RATIO);
});
