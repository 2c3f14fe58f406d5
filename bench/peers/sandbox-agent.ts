import { randomUUID } from "node:crypto";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type AgentFrame, readAcpStamp } from "../agents/bare-pipe.ts";
import { callJson, freePort, NODE, repository, startServer } from "../child.ts";
import { resumeAt, type SseFrame } from "../client/sse-reader.ts";
import type { Contestant, Conversation, Received } from "../server.ts";
import { installPeer } from "./install.ts";

export const SANDBOX_AGENT_VERSION = "0.4.2";

/** The path of the program, which is installed if it is missing. */
export function installSandboxAgent(): string {
  const platform = `@sandbox-agent/cli-${process.platform}-${process.arch}`;
  return installPeer(
    "sandbox-agent",
    [`@sandbox-agent/cli@${SANDBOX_AGENT_VERSION}`, `${platform}@${SANDBOX_AGENT_VERSION}`],
    `${platform}/bin/sandbox-agent`,
  );
}

/** An HTTP proxy in front of ACP agents, here of `acp-fake.ts`. */
export function sandboxAgent(): Contestant {
  const program = installSandboxAgent();
  return {
    name: "sandbox-agent",
    cannot: { history: "the server stores none" },
    async start(home) {
      placeAgent(home);
      const port = await freePort();
      const mark = randomUUID();
      const url = `http://127.0.0.1:${port}`;
      const command = [program, "server", "--no-token", "--no-telemetry", "--port", String(port)];
      const running = await startServer({ command, home, mark, healthUrl: `${url}/v1/health` });
      return { ...running, mark, open: () => open(url, home), reopen: () => undefined };
    },
  };
}

/** It starts the program at the path where it would install the adapter of an agent. */
function placeAgent(home: string): void {
  const folder = join(home, ".local/share/sandbox-agent/bin/agent_processes");
  mkdirSync(folder, { recursive: true });
  const script = `#!/bin/sh\nexec '${[...NODE, join(repository, "bench/agents/acp-fake.ts")].join("' '")}'\n`;
  for (const path of [join(folder, "claude-acp"), join(folder, "..", "claude")]) {
    writeFileSync(path, script);
    chmodSync(path, 0o755);
  }
}

async function open(url: string, cwd: string): Promise<Conversation> {
  const session = randomUUID();
  const base = `${url}/v1/acp/${session}`;
  let id = 0;
  const ask = (method: string, params: unknown, query = "") =>
    callJson<unknown>("POST", `${base}${query}`, { jsonrpc: "2.0", id: ++id, method, params });
  await ask("initialize", { protocolVersion: 1, clientCapabilities: {} }, "?agent=claude");
  await ask("session/new", { cwd, mcpServers: [] });
  const prompt = async (text: string) =>
    void (await ask("session/prompt", { sessionId: "acp-fake", prompt: [{ type: "text", text }] }));
  return {
    session,
    stream: (lastId) => ({ url: base, headers: resumeAt(lastId) }),
    parseFrame,
    burst: (count) => prompt(`[[burst:${count}]]`),
    tools: (count) => prompt(`[[tools:${count}]]`),
    flood: (ms) => prompt(`[[flood:${ms}]]`),
    paced: (count, everyMs) => prompt(`[[paced:${count}:${everyMs}]]`),
    workSlowly: (seconds) => prompt(`[[slow:${seconds * 10}:100]]`),
    answer: () => prompt("[[burst:4]]"),
    bulk: (bytes) => prompt(`[[bulk:${bytes}]]`),
    page: async () => ({ cannot: "it stores no history" }),
  };
}

function parseFrame(frame: SseFrame): Received[] {
  const message = JSON.parse(frame.data) as AgentFrame;
  if (message.result?.stopReason) return [{ kind: "end" }];
  const found = readAcpStamp(message);
  return found ? [{ kind: "event", ...found }] : [];
}
