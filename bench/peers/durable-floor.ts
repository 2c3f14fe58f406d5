import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { type AgentFrame, readAcpStamp } from "../agents/bare-pipe.ts";
import { callJson, freePort, NODE, repository, startServer } from "../child.ts";
import type { SseFrame } from "../client/sse-reader.ts";
import type { Contestant, Conversation, Received } from "../server.ts";

/** The least server with Gantry's promises, see `durable-floor-server.ts`: no Node program with them can be faster. */
export const durableFloor: Contestant = {
  name: "least durable server",
  cannot: { history: "it only runs one burst" },
  async start(home) {
    const port = await freePort();
    const mark = randomUUID();
    const url = `http://127.0.0.1:${port}`;
    const command = [...NODE, join(repository, "bench/peers/durable-floor-server.ts"), String(port), home];
    const running = await startServer({ command, home, mark, healthUrl: `${url}/health` });
    return { ...running, mark, open: async () => converse(url), reopen: () => undefined };
  },
};

function converse(url: string): Conversation {
  const prompt = async (text: string) => void (await callJson("POST", url, text));
  const cannot = () => Promise.reject(new Error("this server only runs bursts of tool calls"));
  return {
    session: "floor",
    stream: () => ({ url: `${url}/events`, headers: {} }),
    parseFrame,
    burst: cannot,
    tools: (count) => prompt(`[[tools:${count}]]`),
    workSlowly: cannot,
    answer: cannot,
    bulk: cannot,
    page: async () => ({ cannot: "it has no pages" }),
  };
}

function parseFrame({ event, data }: SseFrame): Received[] {
  if (event !== "event") return [];
  const { data: frame } = JSON.parse(data) as { data: AgentFrame };
  if (frame.result?.stopReason) return [{ kind: "end" }];
  const found = readAcpStamp(frame);
  return found ? [{ kind: "event", ...found }] : [];
}
