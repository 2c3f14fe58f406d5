import { mkdirSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createServer as createTcpServer } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type Spawned, spawnLines } from "@gantry/testkit";
import { API_KEY, type Workspace } from "./workspace.ts";

const MAIN = join(import.meta.dirname, "../../../packages/cli/src/main.ts");
const PROBE_TIMEOUT_MS = 8000;

type Json = Record<string, unknown>;
export type JailedAgentOptions = { workspace: Workspace; sandbox: "required" | "off"; mode: "plan" | "full-auto" };

/**
 * The real agent as an RPC process in the workspace, its model, and a canary port. Runs inside the jail. Every question of the
 * agent is answered with "Deny".
 */
export class JailedAgent {
  /** Connections to the canary port. */
  connections = 0;
  port = 0;
  #answered = 0;
  #ids = 0;
  readonly #agent: Spawned;
  readonly #servers: { close(): void }[];
  readonly #batches: string[][];
  readonly #workspace: Workspace;

  private constructor(agent: Spawned, servers: { close(): void }[], batches: string[][], workspace: Workspace) {
    this.#agent = agent;
    this.#servers = servers;
    this.#batches = batches;
    this.#workspace = workspace;
  }

  static async start({ workspace, sandbox, mode }: JailedAgentOptions): Promise<JailedAgent> {
    const batches: string[][] = [];
    const model = await listen(
      createServer((request, response) => void reply(request, batches).then((text) => response.end(text))),
    );
    const canary = createTcpServer((socket) => {
      agent.connections += 1;
      socket.destroy();
    });
    await listen(canary as unknown as Server);
    const agentDir = join(workspace.state, "agent");
    mkdirSync(agentDir, { recursive: true });
    const scripted = {
      baseUrl: `http://127.0.0.1:${portOf(model)}/v1`,
      api: "openai-completions",
      auth: "none",
      models: [{ id: "one", name: "One", contextWindow: 900_000, maxTokens: 8000 }],
    };
    writeFileSync(join(agentDir, "models.yml"), JSON.stringify({ providers: { scripted } }));
    writeFileSync(join(agentDir, "config.yml"), `sandbox: ${sandbox}\n`);
    const env = {
      PATH: process.env.PATH,
      HOME: workspace.home,
      GANTRY_HOME: join(workspace.home, ".gantry"),
      GANTRY_AGENT_DIR: agentDir,
      ANTHROPIC_API_KEY: API_KEY,
    };
    const flags = [
      "--mode",
      "rpc",
      "--provider",
      "scripted",
      "--model",
      "one",
      "--no-title",
      "--no-session",
      "--permission-mode",
      mode,
    ];
    const args = ["--disable-warning=ExperimentalWarning", MAIN, "agent", ...flags];
    const process_ = spawnLines(process.execPath, args, { cwd: workspace.repository, env });
    const agent = new JailedAgent(process_, [model, canary], batches, workspace);
    agent.port = portOf(canary as unknown as Server);
    await agent.#wait((frame) => frame.type === "ready");
    return agent;
  }

  /** Runs a command over RPC. Returns every frame that the agent sent meanwhile, as text. */
  async runByRpc(command: string): Promise<string> {
    const from = this.#agent.frames.length;
    const id = this.#send("bash", { command });
    const isAnswer = (frame: Json) => frame.type === "response" && frame.id === id;
    const ended = await Promise.race([this.#wait(isAnswer).then(() => true), pause(PROBE_TIMEOUT_MS, false)]);
    if (!ended) {
      this.#send("abort_bash", {});
      await this.#wait(isAnswer);
    }
    const text = this.#textSince(from);
    // The shell keeps its folder; the next probe starts in the repository again.
    const home = `cd ${this.#workspace.repository}`;
    if (command !== home && /\b(cd|pushd|popd)\b/.test(command)) await this.runByRpc(home);
    return text;
  }

  /** The model calls `bash` with each of these commands, all in one answer. */
  async runByModel(commands: readonly string[]): Promise<string> {
    const from = this.#agent.frames.length;
    this.#batches.push([...commands]);
    this.#send("prompt", { message: `batch ${this.#batches.length - 1}` });
    await this.#wait((frame) => this.#agent.frames.indexOf(frame) >= from && eventOf(frame)?.type === "agent_end");
    return this.#textSince(from);
  }

  async stop(): Promise<void> {
    this.#agent.hangUp();
    await Promise.race([this.#agent.exit, pause(5000)]);
    try {
      process.kill(-this.#agent.pid, "SIGKILL");
    } catch {}
    for (const server of this.#servers) server.close();
  }

  #send(type: string, fields: Json): string {
    const id = `req_${++this.#ids}`;
    this.#agent.send({ id, type, ...fields });
    return id;
  }

  #wait(test: (frame: Json) => boolean): Promise<Json> {
    return this.#agent.waitFor((frame) => {
      for (; this.#answered < this.#agent.frames.length; this.#answered++)
        this.#deny(this.#agent.frames[this.#answered]!);
      return test(frame);
    });
  }

  #deny(frame: Json): void {
    if (frame.type === "extension_ui_request" && frame.method === "select")
      this.#agent.send({ id: frame.id, type: "extension_ui_response", value: "Deny" });
  }

  #textSince(from: number): string {
    return this.#agent.frames
      .slice(from)
      .map((frame) => JSON.stringify(frame))
      .join("\n");
  }
}

function eventOf(frame: Json): Json | undefined {
  return frame.type === "event" ? ((frame.payload as Json).event as Json) : undefined;
}

async function listen(server: Server): Promise<Server> {
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  return server;
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

/** Answers a prompt "batch N" with one call for each command of that batch, and the results with a text. */
async function reply(request: IncomingMessage, batches: readonly string[][]): Promise<string> {
  let body = "";
  for await (const chunk of request) body += String(chunk);
  const { messages = [] } = JSON.parse(body || "{}") as { messages?: { role: string; content: unknown }[] };
  const last = messages.at(-1);
  const number = /batch (\d+)/.exec(JSON.stringify(last?.content ?? ""))?.[1];
  const commands = last?.role === "user" && number !== undefined ? (batches[Number(number)] ?? []) : [];
  const tool_calls = commands.map((command, index) => {
    const args = JSON.stringify({ _i: "probe", command, cwd: "." });
    return { index, id: `call_${number}_${index}`, type: "function", function: { name: "bash", arguments: args } };
  });
  const delta = tool_calls.length > 0 ? { role: "assistant", tool_calls } : { role: "assistant", content: "done" };
  const chunk = (choice: object, more = {}) =>
    `data: ${JSON.stringify({ id: "x", object: "chat.completion.chunk", model: "one", choices: [choice], ...more })}\n\n`;
  const end = { index: 0, delta: {}, finish_reason: tool_calls.length > 0 ? "tool_calls" : "stop" };
  return `${chunk({ index: 0, delta, finish_reason: null })}${chunk(end, { usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } })}data: [DONE]\n\n`;
}
