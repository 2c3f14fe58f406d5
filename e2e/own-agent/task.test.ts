import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ScriptedModel, Spawned } from "@gantry/testkit";
import { bareEnvironment, canaries, plantCanaries, spawnLines, startScriptedModel } from "@gantry/testkit";
import { afterEach, beforeEach, expect, test } from "vitest";
import { gantryProgram } from "../harness/daemon-process.ts";
import { processesOf } from "../harness/processes.ts";
import { eventually } from "../harness/wait.ts";
import {
  callsInFile,
  FIXED_ONCE,
  findRepeatedCalls,
  findRequestFaults,
  sessionFile,
  TaskRepository,
  taskEnvironment,
} from "./task.ts";

type Json = Record<string, unknown>;

let home: string;
let agentDir: string;
let repository: TaskRepository;
let model: ScriptedModel;
let env: Record<string, string>;
let running: Spawned | undefined;

beforeEach(async () => {
  home = mkdtempSync(join(realpathSync(tmpdir()), "gantry-task-"));
  agentDir = join(home, "agent");
  mkdirSync(join(home, "project"));
  repository = new TaskRepository(join(home, "project"));
  model = await startScriptedModel({ defaults: { pace: 0, slowPace: 100 } });
  const secret = plantCanaries(agentDir, { edit: { mode: "replace" } });
  const models = [{ id: "scripted-model", contextWindow: 200_000, maxTokens: 8192 }];
  const scripted = { baseUrl: `${model.url}/v1`, api: "openai-completions", auth: "none", models };
  writeFileSync(join(agentDir, "models.yml"), JSON.stringify({ providers: { scripted } }));
  env = { ...bareEnvironment(home), ...taskEnvironment, ...secret, GANTRY_HOME: home, GANTRY_AGENT_DIR: agentDir };
});
afterEach(async () => {
  running?.hangUp();
  await running?.exit;
  running = undefined;
  for (const { pid } of processesOf(home)) process.kill(pid, "SIGKILL");
  rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  await model.close();
});

const PLACES = {
  "before the first edit is allowed": (frame: Json) => approvalOf(frame)?.toolName === "edit",
  "while the tests run": () => repository.isHeld("tests"),
  "while the model streams": (frame: Json) =>
    eventOf(frame).type === "message_update" && JSON.stringify(frame).includes('"delta":"empty '),
  "before the commit is allowed": (frame: Json) => JSON.stringify(approvalOf(frame) ?? "").includes("git commit"),
  "while it commits": () => repository.isHeld("commit"),
};
type Place = keyof typeof PLACES;
const places = Object.keys(PLACES) as Place[];

const eventOf = (frame: Json) => ((frame.payload as Json | undefined)?.event ?? {}) as Json;
const approvalOf = (frame: Json) => frame.approval as { toolName: string; args: Json } | undefined;

async function start(...flags: string[]): Promise<Spawned> {
  const args = [gantryProgram(), "agent", "--mode", "rpc", "--model", "scripted/scripted-model"];
  const client = spawnLines(
    process.execPath,
    ["--disable-warning=ExperimentalWarning", ...args, "--permission-mode", "ask", ...flags],
    { cwd: repository.path, env },
  );
  running = client;
  await client.waitFor(({ type }) => type === "ready");
  return client;
}

/** Sends the message and allows every request until the work is done or the step is reached; there the process is killed. */
async function work(client: Spawned, message: string, die: Place | undefined): Promise<"done" | "killed"> {
  if (die) repository.hold();
  client.send({ id: message, type: "prompt", message });
  for (let at = 0; ; at += 1) {
    const frame = await eventually("the next frame", () => client.frames[at] ?? (hasReached(die, {}) ? {} : undefined));
    if (hasReached(die, frame)) {
      process.kill(client.pid, "SIGKILL");
      expect(await client.exit).toEqual({ code: null, signal: "SIGKILL" });
      repository.release();
      return "killed";
    }
    if (approvalOf(frame)) {
      if (die !== "while the tests run" && die !== "while it commits") repository.release();
      if (die === "while it commits" && JSON.stringify(frame).includes("node --test")) repository.release();
      else if (die === "while it commits") repository.hold();
      client.send({ type: "extension_ui_response", id: frame.id as string, value: "Allow once" });
    }
    const { type, reason } = eventOf(frame);
    if (type !== "agent_settled") continue;
    expect(reason).toBe("completed");
    return "done";
  }
}

const hasReached = (die: Place | undefined, frame: Json) => die !== undefined && PLACES[die](frame);

/** Runs the whole task with a kill at each of these steps. Returns the session id. */
async function perform(deaths: readonly Place[], resume: (id: string) => string[]): Promise<string> {
  let client = await start();
  client.send({ id: "state", type: "get_state" });
  const { data } = await client.waitFor(({ id }) => id === "state");
  const { sessionId } = data as { sessionId: string };
  const left = [...deaths];
  let message = "[[repair]] sum is wrong; fix and commit it";
  for (;;) {
    const die = left.shift();
    if ((await work(client, message, die)) === "done") break;
    client = await start(...resume(sessionId));
    message = `continue after: ${die}`;
  }
  expect(left).toEqual([]);
  return sessionId;
}

test("a task from search to commit asks before every change", async () => {
  const id = await perform([], () => []);
  expect(repository.outcome()).toEqual(FIXED_ONCE);
  const calls = callsInFile(sessionFile(agentDir, id));
  expect(calls.map(({ name, isError }) => `${name}${isError ? " failed" : ""}`)).toEqual([
    ...["grep", "read", "edit", "bash failed", "edit", "bash", "bash"],
  ]);
  const asked = running?.frames.flatMap((frame) => approvalOf(frame)?.toolName ?? []);
  expect(asked).toEqual(["edit", "bash", "edit", "bash", "bash"]);
  expect(findRequestFaults(model)).toEqual([]);
  expect(calls[1]?.text).toContain(canaries.file);
});

test.each(places)("a task that is killed %s and resumed has the same outcome", async (place) => {
  const id = await perform([place], (session) => ["--resume", session]);
  expect(repository.outcome()).toEqual(FIXED_ONCE);
  const calls = callsInFile(sessionFile(agentDir, id));
  expect(findRepeatedCalls(calls)).toEqual([]);
  const unknown = calls.filter(({ text, isError }) => isError && text.includes("outcome is unknown"));
  expect(unknown).toHaveLength(place === "while the model streams" ? 0 : 1);
  expect(findRequestFaults(model)).toEqual([]);
  const last = JSON.stringify(model.requests().at(-1)?.body);
  expect(last.split("outcome is unknown")).toHaveLength(unknown.length + 1);
  expect(last).toContain(`continue after: ${place}`);
});

test("a task that is killed at all of these steps has the same outcome", async () => {
  const id = await perform(places, () => ["--continue"]);
  expect(repository.outcome()).toEqual(FIXED_ONCE);
  expect(findRepeatedCalls(callsInFile(sessionFile(agentDir, id)))).toEqual([]);
  expect(findRequestFaults(model)).toEqual([]);
  expect(readFileSync(sessionFile(agentDir, id), "utf8")).toContain("canary-of-the-file");
});
