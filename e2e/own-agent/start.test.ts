import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bareEnvironment, spawnLines } from "@gantry/testkit";
import { afterEach, beforeEach, expect, test } from "vitest";
import { gantryProgram, useBundle } from "../harness/daemon-process.ts";

/** How many empty Node processes can be started meanwhile; six on a machine at rest. */
const MOST = 14;
const RUNS = 6;

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "gantry-agent-start-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }));

test("the agent knows its state in the time of a few empty starts of Node", { timeout: 300_000 }, async () => {
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
  // Side by side, so that both meet the same load; the least of each is what the machine added nothing to.
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
  expect(Math.min(...ours) / Math.min(...empty)).toBeLessThan(MOST);
});
