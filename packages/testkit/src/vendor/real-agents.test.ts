import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ScriptedModel } from "@gantry/scripted";
import { asObject, type Json } from "@gantry/scripted/json";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { startScriptedModel } from "../model/start.ts";
import { needs, REAL_AGENTS } from "../needs.ts";
import { type Spawned, spawnLines } from "../spawned.ts";
import { vendorBinary } from "./binary.ts";
import { hermeticEnvironment } from "./environment.ts";

// The vendors' programs are 300 MB each, so these tests run only on request.
const wanted = process.env.GANTRY_REAL_AGENTS === "1";
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

let model: ScriptedModel;
let root: string;
beforeAll(async () => {
  model = await startScriptedModel({ defaults: { pace: 1 } });
  root = mkdtempSync(join(tmpdir(), "real-agents-"));
});
afterAll(async () => {
  await model.close();
  rmSync(root, { recursive: true, force: true });
});

async function launch(agent: string, version: string, args: string[]): Promise<{ process: Spawned; cwd: string }> {
  const program = await vendorBinary({ agent, version });
  const home = mkdtempSync(join(root, "home-"));
  const cwd = mkdtempSync(join(root, "work-"));
  const env = hermeticEnvironment({ agent, home, modelUrl: model.url });
  return { process: spawnLines(program, args, { cwd, env }), cwd };
}

describe.skipIf(!wanted).each(["2.1.325", "2.1.197"])("claude %s", needs(REAL_AGENTS), (version) => {
  async function run(prompt: string): Promise<{ result: unknown; asked: unknown[]; cwd: string }> {
    const streams = ["--input-format", "stream-json", "--output-format", "stream-json", "--verbose"];
    const { process: claude, cwd } = await launch("claude", version, [
      "-p",
      ...streams,
      "--permission-prompt-tool",
      "stdio",
    ]);
    claude.send({ type: "user", message: { role: "user", content: [{ type: "text", text: prompt }] } });
    const asked: unknown[] = [];
    for (;;) {
      const at = asked.length;
      const frame = await claude.waitFor(
        (candidate) => candidate.type === "result" || isNewRequest(claude, candidate, at),
      );
      if (frame.type === "result") {
        claude.hangUp();
        await claude.exit;
        return { result: frame.result, asked, cwd };
      }
      const request = asObject(frame.request);
      asked.push(request.tool_name);
      const updatedInput = {
        ...asObject(request.input),
        ...(request.tool_name === "AskUserQuestion" ? { answers: { "Which colour?": "Blue" } } : {}),
      };
      const response = {
        subtype: "success",
        request_id: frame.request_id,
        response: { behavior: "allow", updatedInput },
      };
      claude.send({ type: "control_response", response });
    }
  }

  test("text, write and ask", async () => {
    expect((await run("[[text]] go")).result).toBe("Hello from the scripted model. The answer is 42.");
    const write = await run("[[write]] go");
    expect(write.asked).toEqual(["Write"]);
    expect(readFileSync(join(write.cwd, "hello.txt"), "utf8")).toBe("hello world\n");
    expect(await run("[[ask]] go")).toMatchObject({ result: "Thanks for answering.", asked: ["AskUserQuestion"] });
  });
});

describe.skipIf(!wanted)("codex 0.166.0", needs(REAL_AGENTS), () => {
  async function run(prompt: string, more: Json = {}): Promise<{ turn: Json; asked: unknown[]; cwd: string }> {
    const { process: codex, cwd } = await launch("codex", "0.166.0", ["app-server"]);
    const call = (id: string, method: string, params: Json) => {
      codex.send({ id, method, params });
      return codex.waitFor((frame) => frame.id === id && frame.method === undefined);
    };
    const clientInfo = { name: "testkit", title: "Testkit", version: "0" };
    await call("a", "initialize", { clientInfo, capabilities: { experimentalApi: true } });
    codex.send({ method: "initialized" });
    const started = await call("b", "thread/start", { cwd, approvalPolicy: "untrusted", sandbox: "workspace-write" });
    const threadId = asObject(asObject(started.result).thread).id;
    await call("c", "turn/start", { threadId, input: [{ type: "text", text: prompt, text_elements: [] }], ...more });
    const asked: unknown[] = [];
    for (;;) {
      const at = asked.length;
      const frame = await codex.waitFor(
        (candidate) => candidate.method === "turn/completed" || isNewRequest(codex, candidate, at),
      );
      if (frame.method === "turn/completed") {
        codex.hangUp();
        await codex.exit;
        return { turn: asObject(asObject(frame.params).turn), asked, cwd };
      }
      asked.push(frame.method);
      const question = String(frame.method).endsWith("requestUserInput");
      codex.send({
        id: frame.id,
        result: question ? { answers: { q1: { answers: ["Blue"] } } } : { decision: "accept" },
      });
    }
  }

  test("text, write and ask", async () => {
    expect((await run("[[text]] go")).turn).toMatchObject({ status: "completed" });
    const write = await run("[[write]] go");
    expect(write.asked).toEqual(["item/fileChange/requestApproval"]);
    expect(readFileSync(join(write.cwd, "hello.txt"), "utf8")).toBe("hello world\n");
    const settings = { model: "scripted-model", reasoning_effort: "medium", developer_instructions: null };
    const ask = await run("[[ask]] go", { collaborationMode: { mode: "plan", settings } });
    expect(ask).toMatchObject({ asked: ["item/tool/requestUserInput"], turn: { status: "completed" } });
  });
});

/** A request of the agent that comes after the first `answered` ones. */
function isNewRequest(agent: Spawned, frame: Json, answered: number): boolean {
  const isRequest = (candidate: Json) =>
    candidate.type === "control_request" || (candidate.method !== undefined && candidate.id !== undefined);
  return isRequest(frame) && agent.frames.filter(isRequest).indexOf(frame) >= answered;
}
