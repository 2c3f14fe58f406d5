import { spawn, spawnSync } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { bareEnvironment, NODE, repository } from "./child.ts";

export type Told = {
  type?: string;
  id?: number;
  event?: { type: string; data: { item?: string } };
  params?: { update?: { content?: { text?: string } } };
  result?: { stopReason?: string };
};

/** A fake agent as it is talked to on bare pipes. */
export type FakeAgent = {
  command: string[];
  hello(cwd: string): object[];
  /** The frame that sends the prompt, once `told` shows that the conversation is open. */
  promptAfter(told: Told, prompt: string): object | undefined;
  isEnd(told: Told): boolean;
  /** The agent's clock when it made this event of a burst; `null` where the event does not say; no event: `undefined`. */
  madeAt(told: Told): number | null | undefined;
};

/** The agent behind Gantry. */
export const scriptedAgent: FakeAgent = {
  command: [...NODE, join(repository, "packages/scripted/src/agent/main.ts")],
  hello: (cwd) => [{ type: "start", cwd, mode: "full-auto" }],
  promptAfter: ({ type }, text) => (type === "ready" ? { type: "prompt", id: "1", text } : undefined),
  isEnd: ({ event }) => event?.type === "turn.ended",
  madeAt({ event }) {
    if (!event?.data.item) return undefined;
    return event.type === "tool.ended" ? null : Number.parseInt(event.data.item.slice(4, 12), 36);
  },
};

/** The agent behind servers that speak ACP with theirs. */
export const acpAgent: FakeAgent = {
  command: [...NODE, join(repository, "bench/peers/acp-fake.ts")],
  hello: (cwd) => [
    { jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: 1 } },
    { jsonrpc: "2.0", id: 2, method: "session/new", params: { cwd, mcpServers: [] } },
  ],
  promptAfter: ({ id }, text) =>
    id === 2
      ? { jsonrpc: "2.0", id: 3, method: "session/prompt", params: { prompt: [{ type: "text", text }] } }
      : undefined,
  isEnd: ({ result }) => result?.stopReason !== undefined,
  madeAt({ params }) {
    const [, at] = /^\d+ (\d+) message$/.exec(params?.update?.content?.text ?? "") ?? [];
    return at === undefined ? undefined : Number(at);
  },
};

/** One turn of an agent with nothing between it and its reader: the floor. `onLine` gets every line as parsed JSON. */
export async function playDirectly(
  agent: FakeAgent,
  home: string,
  prompt: string,
  onLine: (told: Told) => void = () => undefined,
): Promise<void> {
  const [program = "", ...args] = agent.command;
  const env = bareEnvironment(home, "floor");
  const child = spawn(program, args, { cwd: home, env, stdio: ["pipe", "pipe", "ignore"] });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(() => child.kill("SIGKILL"), 60_000);
  const tell = (frame: object) => child.stdin.write(`${JSON.stringify(frame)}\n`);
  child.on("exit", () => reject(new Error("the fake agent ended before its turn did")));
  child.on("error", reject);
  createInterface({ input: child.stdout }).on("line", (line) => {
    const told = JSON.parse(line) as Told;
    const next = agent.promptAfter(told, prompt);
    if (next) tell(next);
    onLine(told);
    if (agent.isEnd(told)) resolve();
  });
  for (const frame of agent.hello(home)) tell(frame);
  await promise.finally(() => {
    clearTimeout(timer);
    child.kill("SIGKILL");
  });
}

/**
 * Lets each agent start once and end by itself. Node writes its compile cache only then, and servers differ in how they
 * end their agents: without this some would start from the cache and others not.
 */
export function warmAgents(home: string): void {
  for (const { command } of [scriptedAgent, acpAgent]) {
    const [program = "", ...args] = command;
    spawnSync(program, args, { cwd: home, env: bareEnvironment(home, "floor"), input: "", timeout: 30_000 });
  }
}
