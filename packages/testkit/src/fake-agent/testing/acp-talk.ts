import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { asObject, asText, type Json } from "@gantry/scripted/json";
import { type Spawned, spawnLines } from "../../spawned.ts";
import { type DialectName, type FakeAgentOptions, type FaultSpec, writeFakeAgent } from "../write-fake-agent.ts";

interface Options {
  fault?: FaultSpec;
  script?: FakeAgentOptions["script"];
  home?: string;
  args?: string[];
}

/** A fake agent as a process in a temporary folder. The caller disposes of it. */
export function startFake(dialect: DialectName, { fault, script, home, args = ["acp"] }: Options = {}) {
  const root = mkdtempSync(join(tmpdir(), `fake-${dialect}-`));
  const cwd = mkdtempSync(join(root, "work-"));
  const own = home ?? mkdtempSync(join(root, "home-"));
  const program = writeFakeAgent({ dir: join(root, "bin"), dialect, fault, script, pace: 1 });
  const agent = spawnLines(program, args, { cwd, env: { PATH: process.env.PATH, HOME: own } });
  const dispose = () => {
    try {
      process.kill(-agent.pid, "SIGKILL");
    } catch {
      // The process has already exited.
    }
    rmSync(root, { recursive: true, force: true });
  };
  return { agent, cwd, home: own, dispose };
}

/** A minimal ACP client. The ids of prompts start at 100. */
export class AcpTalk {
  readonly agent: Spawned;
  readonly cwd: string;
  #session = "";
  #next = 100;

  constructor(agent: Spawned, cwd: string) {
    this.agent = agent;
    this.cwd = cwd;
  }

  async call(method: string, params: Json = {}): Promise<Json> {
    const id = this.#next++;
    this.agent.send({ jsonrpc: "2.0", id, method, params });
    return this.agent.waitFor((frame) => frame.id === id && frame.method === undefined);
  }

  async open(resume?: string): Promise<Json> {
    await this.call("initialize", { protocolVersion: 1 });
    const opened = resume
      ? await this.call("session/load", { sessionId: resume, cwd: this.cwd, mcpServers: [] })
      : await this.call("session/new", { cwd: this.cwd, mcpServers: [] });
    this.#session = resume ?? asText(asObject(opened.result).sessionId);
    return opened;
  }

  get session(): string {
    return this.#session;
  }

  /** Resolves to the result of the prompt. */
  prompt(text: string): Promise<Json> {
    return this.call("session/prompt", { sessionId: this.#session, prompt: [{ type: "text", text }] });
  }

  cancel(): void {
    this.agent.send({ jsonrpc: "2.0", method: "session/cancel", params: { sessionId: this.#session } });
  }

  /** The next request of the agent. */
  nextRequest(method = "session/request_permission"): Promise<Json> {
    return this.agent.waitFor((frame) => frame.method === method && frame.id !== undefined);
  }

  reply(request: Json, result: Json): void {
    this.agent.send({ jsonrpc: "2.0", id: request.id, result });
  }

  /** The updates of a kind so far, of our conversation. */
  updates(kind: string): Json[] {
    return this.agent.frames
      .map((frame) => asObject(frame.params))
      .filter(({ sessionId }) => sessionId === this.#session)
      .map(({ update }) => asObject(update))
      .filter(({ sessionUpdate }) => sessionUpdate === kind);
  }

  /** The text of all messages so far. */
  messageText(): string {
    return this.updates("agent_message_chunk")
      .map(({ content }) => asText(asObject(content).text))
      .join("");
  }
}
