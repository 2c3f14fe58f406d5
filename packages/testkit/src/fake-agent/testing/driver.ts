import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { asObject, asText, type Json } from "@gantry/scripted/json";
import { type Spawned, spawnLines } from "../../spawned.ts";
import { type FaultSpec, writeFakeAgent } from "../write-fake-agent.ts";

/** A minimal host with one interface for every dialect. */
export interface Driver {
  agent: Spawned;
  cwd: string;
  home: string;
  /** Does the handshake; resolves to the native session id. */
  start(resume?: string): Promise<string>;
  prompt(text: string): void;
  interrupt(): void;
  /** Answers a request frame. */
  answer(request: Json, allow: boolean): void;
  isRequest(frame: Json): boolean;
  isTurnEnd(frame: Json): boolean;
  /** The full text of a message, if the frame completes one. */
  messageText(frame: Json): string | null;
  /** The id of a tool call that the frame ends. */
  endedTool(frame: Json): string | null;
  turnEnd(): Promise<Json>;
  dispose(): void;
}

/** The bidirectional dialects. */
export type Driven = "scripted" | "claude" | "codex";

interface Options {
  fault?: FaultSpec | FaultSpec[];
  home?: string;
  cwd?: string;
  args?: string[];
}

/** Starts a fake agent as a process, in a temporary folder and home. */
export function drive(dialect: Driven, options: Options = {}): Driver {
  const root = mkdtempSync(join(tmpdir(), `fake-${dialect}-`));
  const cwd = options.cwd ?? mkdtempSync(join(root, "work-"));
  const home = options.home ?? mkdtempSync(join(root, "home-"));
  const program = writeFakeAgent({ dir: join(root, "bin"), dialect, fault: options.fault, pace: 1 });
  const args = options.args ?? VENDOR_ARGS[dialect];
  const agent = spawnLines(program, args, { cwd, env: { PATH: process.env.PATH, HOME: home } });
  const dispose = () => {
    try {
      process.kill(-agent.pid, "SIGKILL");
    } catch {
      // The process has already exited.
    }
    rmSync(root, { recursive: true, force: true });
  };
  const wire = DRIVERS[dialect](agent, cwd);
  return { agent, cwd, home, ...wire, turnEnd: () => agent.waitFor(wire.isTurnEnd), dispose };
}

type Wire = Omit<Driver, "agent" | "cwd" | "home" | "turnEnd" | "dispose">;

const STREAM_JSON = ["--input-format", "stream-json", "--output-format", "stream-json"];
const VENDOR_ARGS: Record<Driven, string[]> = {
  scripted: [],
  claude: ["-p", ...STREAM_JSON, "--verbose", "--include-partial-messages", "--permission-prompt-tool", "stdio"],
  codex: ["app-server"],
};

const DRIVERS: Record<Driven, (agent: Spawned, cwd: string) => Wire> = {
  scripted: scriptedWire,
  claude: claudeWire,
  codex: codexWire,
};

function scriptedWire(agent: Spawned, cwd: string): Wire {
  const event = (frame: Json) => asObject(frame.event);
  const data = (frame: Json) => asObject(event(frame).data);
  return {
    async start(resume) {
      agent.send({ type: "start", resume: resume ?? null, fork: false, cwd, mode: "ask", model: null });
      return asText((await agent.waitFor((frame) => frame.type === "ready")).session);
    },
    prompt: (text) => agent.send({ type: "prompt", id: `msg_${randomUUID()}`, text, attachments: [] }),
    interrupt: () => agent.send({ type: "interrupt" }),
    answer: (request, allow) =>
      agent.send({ type: "answer", id: data(request).id, decision: allow ? "allow" : "deny", answers: { q1: "Blue" } }),
    isRequest: (frame) => event(frame).type === "input.requested",
    isTurnEnd: (frame) => event(frame).type === "turn.ended",
    messageText: (frame) => (event(frame).type === "message.done" ? asText(data(frame).text) : null),
    endedTool: (frame) => (event(frame).type === "tool.ended" ? asText(data(frame).item) : null),
  };
}

function claudeWire(agent: Spawned): Wire {
  const blocks = (frame: Json) => asObject((asObject(frame.message).content as Json[] | undefined)?.[0]);
  return {
    async start() {
      agent.send({ type: "control_request", request_id: "r0", request: { subtype: "initialize", hooks: null } });
      await agent.waitFor((frame) => frame.type === "control_response");
      return "";
    },
    prompt: (text) =>
      agent.send({
        type: "user",
        message: { role: "user", content: [{ type: "text", text }] },
        parent_tool_use_id: null,
      }),
    interrupt: () => agent.send({ type: "control_request", request_id: "int", request: { subtype: "interrupt" } }),
    answer(request, allow) {
      const input = asObject(asObject(request.request).input);
      const decision = allow
        ? { behavior: "allow", updatedInput: { ...input, answers: { "Which colour?": "Blue" } } }
        : { behavior: "deny", message: "no thanks" };
      const response = { subtype: "success", request_id: request.request_id, response: decision };
      agent.send({ type: "control_response", response });
    },
    isRequest: (frame) => frame.type === "control_request",
    isTurnEnd: (frame) => frame.type === "result",
    messageText: (frame) =>
      frame.type === "assistant" && blocks(frame).type === "text" ? asText(blocks(frame).text) : null,
    endedTool: (frame) =>
      frame.type === "user" && blocks(frame).type === "tool_result" ? asText(blocks(frame).tool_use_id) : null,
  };
}

function codexWire(agent: Spawned, cwd: string): Wire {
  let thread = "";
  let turn = "";
  let calls = 100;
  const call = async (method: string, params: Json) => {
    const id = calls++;
    agent.send({ id, method, params });
    return agent.waitFor((frame) => frame.id === id && frame.method === undefined);
  };
  const item = (frame: Json) => asObject(asObject(frame.params).item);
  const endedItem = (frame: Json, types: string[]) =>
    frame.method === "item/completed" && types.includes(asText(item(frame).type)) ? item(frame) : null;
  return {
    async start(resume) {
      await call("initialize", { clientInfo: { name: "test", title: "Test", version: "0" } });
      agent.send({ method: "initialized" });
      const common = { cwd, approvalPolicy: "untrusted", sandbox: "workspace-write" };
      const answer = resume
        ? await call("thread/resume", { threadId: resume, ...common })
        : await call("thread/start", common);
      thread = asText(asObject(asObject(answer.result).thread).id);
      return thread;
    },
    prompt(text) {
      const input = [{ type: "text", text, text_elements: [] }];
      void call("turn/start", { threadId: thread, input }).then(
        (answer) => {
          turn = asText(asObject(asObject(answer.result).turn).id);
        },
        () => {},
      );
    },
    interrupt: () => agent.send({ id: calls++, method: "turn/interrupt", params: { threadId: thread, turnId: turn } }),
    answer(request, allow) {
      const question = asText(request.method).endsWith("requestUserInput");
      const result = question ? { answers: { q1: { answers: ["Blue"] } } } : { decision: allow ? "accept" : "decline" };
      agent.send({ id: request.id, result });
    },
    isRequest: (frame) => frame.method !== undefined && frame.id !== undefined,
    isTurnEnd: (frame) => frame.method === "turn/completed",
    messageText: (frame) => {
      const message = endedItem(frame, ["agentMessage"]);
      return message ? asText(message.text) : null;
    },
    endedTool: (frame) => {
      const tool = endedItem(frame, ["commandExecution", "fileChange"]);
      return tool ? asText(tool.id) : null;
    },
  };
}

/** Waits until stderr matches, because stdout and stderr are read in no order. Throws after a timeout. */
export async function waitForStderr(agent: { stderr(): string }, pattern: RegExp): Promise<void> {
  for (let waited = 0; waited < 30_000; waited += 50) {
    if (pattern.test(agent.stderr())) return;
    await new Promise((done) => setTimeout(done, 50));
  }
  throw new Error(`stderr never matched ${pattern}: ${agent.stderr().slice(0, 500)}`);
}
