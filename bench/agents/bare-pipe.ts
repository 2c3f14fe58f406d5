import { spawn, spawnSync } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { bareEnvironment, NODE, repository } from "../child.ts";
import { fromWallClock } from "../measure.ts";
import type { Vendor } from "./recording.ts";

export type AgentFrame = {
  type?: string;
  id?: number;
  method?: string;
  event?: { type: string; data?: { item?: string }; message?: { id: string } };
  params?: { update?: AcpUpdate; item?: { id: string } };
  result?: { stopReason?: string };
};

type AcpText = { text?: string };
type AcpUpdate = { title?: string; content?: AcpText | { content?: AcpText }[] };

/** A fake agent that is driven over bare pipes. */
export type FakeAgent = {
  command: string[];
  hello(cwd: string): object[];
  /** The frame that sends the prompt, when `frame` shows that the conversation is open. */
  promptAfter(frame: AgentFrame, prompt: string): object | undefined;
  isEnd(frame: AgentFrame): boolean;
  /** The monotonic time at which the agent created this event of a burst; `null` if the event has no time; `undefined` for no event. */
  madeAt(frame: AgentFrame): number | null | undefined;
};

/** The agent behind Gantry. */
export const scriptedAgent: FakeAgent = {
  command: [...NODE, join(repository, "packages/scripted/src/agent/main.ts")],
  hello: (cwd) => [{ type: "start", cwd, mode: "full-auto" }],
  promptAfter: ({ type }, text) => (type === "ready" ? { type: "prompt", id: "1", text } : undefined),
  isEnd: ({ event }) => event?.type === "turn.ended",
  madeAt({ event }) {
    if (!event?.data?.item) return undefined;
    return event.type === "tool.ended" ? null : fromWallClock(Number.parseInt(event.data.item.slice(4, 12), 36));
  },
};

/** The agent behind servers that use ACP. */
export const acpAgent: FakeAgent = {
  command: [...NODE, join(repository, "bench/agents/acp-fake.ts")],
  hello: (cwd) => [
    { jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: 1 } },
    { jsonrpc: "2.0", id: 2, method: "session/new", params: { cwd, mcpServers: [] } },
  ],
  promptAfter: ({ id }, text) =>
    id === 2
      ? { jsonrpc: "2.0", id: 3, method: "session/prompt", params: { prompt: [{ type: "text", text }] } }
      : undefined,
  isEnd: ({ result }) => result?.stopReason !== undefined,
  madeAt: (frame) => readAcpStamp(frame)?.at,
};

/** The program that repeats the recording of a vendor. */
export function replayAgent(vendor: Vendor): FakeAgent {
  const command = [...NODE, join(repository, "bench/agents/replay-agent.ts"), vendor];
  const madeAt = ({ event, params }: AgentFrame) => stampIn(event?.message?.id ?? params?.item?.id);
  if (vendor === "claude") {
    return {
      command,
      hello: () => [{ type: "control_request", request_id: "1", request: { subtype: "initialize" } }],
      promptAfter: ({ type }, content) =>
        type === "control_response" ? { type: "user", message: { role: "user", content } } : undefined,
      isEnd: ({ type }) => type === "result",
      madeAt,
    };
  }
  return {
    command,
    hello: (cwd) => [
      { id: 1, method: "initialize", params: {} },
      { id: 2, method: "thread/start", params: { cwd } },
    ],
    promptAfter: ({ id }, text) =>
      id === 2 ? { id: 3, method: "turn/start", params: { input: [{ type: "text", text }] } } : undefined,
    isEnd: ({ method }) => method === "turn/completed",
    madeAt,
  };
}

/** The creation of a repeated frame, from one of its ids. */
function stampIn(id: string | undefined): number | undefined {
  const [, at] = /_\d+_(\d+)$/.exec(id ?? "") ?? [];
  return at === undefined ? undefined : Number(at) / 1000;
}

/** The number of an update of the fake ACP agent, and its creation on the monotonic clock. */
export function readAcpStamp({ params }: AgentFrame): { n: number; at: number } | undefined {
  const { title, content } = params?.update ?? {};
  const text = Array.isArray(content) ? content[0]?.content?.text : content?.text;
  return readStamp(title ?? text);
}

export function readStamp(text: unknown): { n: number; at: number } | undefined {
  const [, n, at] = typeof text === "string" ? (/^(\d+) (\d+) message$/.exec(text) ?? []) : [];
  return n === undefined ? undefined : { n: Number(n), at: Number(at) / 1000 };
}

/** Runs one turn of an agent with no server in between: the floor. `onLine` gets every line as parsed JSON. */
export async function playDirectly(
  agent: FakeAgent,
  home: string,
  prompt: string,
  onLine: (frame: AgentFrame) => void = () => undefined,
): Promise<void> {
  const [program = "", ...args] = agent.command;
  const env = bareEnvironment(home, "floor");
  const child = spawn(program, args, { cwd: home, env, stdio: ["pipe", "pipe", "ignore"] });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(() => child.kill("SIGKILL"), 60_000);
  const send = (frame: object) => child.stdin.write(`${JSON.stringify(frame)}\n`);
  child.on("exit", () => reject(new Error("the fake agent ended before its turn did")));
  child.on("error", reject);
  createInterface({ input: child.stdout }).on("line", (line) => {
    const frame = JSON.parse(line) as AgentFrame;
    const next = agent.promptAfter(frame, prompt);
    if (next) send(next);
    onLine(frame);
    if (agent.isEnd(frame)) resolve();
  });
  for (const frame of agent.hello(home)) send(frame);
  await promise.finally(() => {
    clearTimeout(timer);
    child.kill("SIGKILL");
  });
}

/**
 * Starts each agent once and lets it exit. Node writes its compile cache only at a normal exit, and servers end their
 * agents in different ways, so without this only some agents would start from the cache.
 */
export function warmAgents(home: string): void {
  for (const { command } of [scriptedAgent, acpAgent, replayAgent("claude"), replayAgent("codex")]) {
    const [program = "", ...args] = command;
    spawnSync(program, args, { cwd: home, env: bareEnvironment(home, "floor"), input: "", timeout: 30_000 });
  }
}
