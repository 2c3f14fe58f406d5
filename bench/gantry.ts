import { randomUUID } from "node:crypto";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { callJson, fetchBytes, freePort, NODE, repository, startServer } from "./child.ts";
import { until } from "./measure.ts";
import type { Contestant, Conversation, Received, Server } from "./server.ts";
import { resumeAt, type SseFrame } from "./sse-reader.ts";

type Options = { NODE_COMPILE_CACHE?: string };

/** Gantry from this checkout, as `./gantry serve` starts it, with its scripted agent. */
export const gantry: Omit<Contestant, "start"> & { start(home: string, options?: Options): Promise<Server> } = {
  name: "gantry",
  cannot: {},
  async start(home, options = {}) {
    const port = await freePort();
    const mark = randomUUID();
    const url = `http://127.0.0.1:${port}`;
    const cli = join(repository, "dist/gantry/main.js");
    const command = [
      ...NODE,
      "--max-semi-space-size=4",
      cli,
      "serve",
      "--json",
      "--on-stop",
      "release",
      "--port",
      String(port),
    ];
    const env = { GANTRY_HOME: join(home, "gantry"), ...options };
    const running = await startServer({ command, home, mark, env, healthUrl: `${url}/v1/health` });
    const headers = { authorization: `Bearer ${readFileSync(join(home, "gantry", "token"), "utf8").trim()}` };
    return assemble({ ...running, mark, url, headers }, home);
  },
};

type Parts = Pick<Server, "pid" | "readyMs" | "mark" | "kill" | "stop"> & { url: string; headers: Headers };
type Headers = Record<string, string>;

function assemble(parts: Parts, home: string): Server {
  const { url, headers } = parts;
  const cwd = join(home, "work");
  mkdirSync(cwd, { recursive: true });
  const conversation = (session: string) => makeConversation(url, headers, session);
  return {
    ...parts,
    reopen: conversation,
    async open() {
      const body = { agent: "scripted", cwd, mode: "full-auto" };
      const { id } = await callJson<{ id: string }>("POST", `${url}/v1/sessions`, body, headers);
      return conversation(id);
    },
  };
}

function makeConversation(url: string, headers: Headers, session: string): Conversation {
  const base = `${url}/v1/sessions/${session}`;
  const send = async (text: string) => void (await callJson("POST", `${base}/messages`, { text }, headers));
  const waitForIdle = () =>
    until("the turn's end", async () => {
      const { state, lastTurn } = await callJson<{ state: string; lastTurn?: unknown }>(
        "GET",
        base,
        undefined,
        headers,
      );
      return state === "idle" && lastTurn !== null;
    });
  return {
    session,
    stream: (lastId) => ({
      url: `${base}/events`,
      headers: { ...headers, ...resumeAt(lastId) },
    }),
    parseFrame,
    burst: (count) => send(`[[burst:${count}]]`),
    workSlowly: (seconds) => send(`[[slow:${seconds * 10}:100]]`),
    answer: () => send("[[text]]"),
    async bulk(bytes) {
      await send(`[[bigoutput:${bytes}]]`);
      await waitForIdle();
    },
    async page({ events }) {
      let bytes = 0;
      for (const target of [base, `${base}/events?tail=${events}`]) bytes += await fetchBytes(target, headers);
      return bytes;
    },
  };
}

type AgentFrame = {
  type: string;
  data: { item?: string; text?: string; output?: unknown; input?: { command?: string } };
};

/** The scripted agent numbers the events of a burst, and its item ids begin with the time. */
function parseFrame(frame: SseFrame): Received[] {
  if (frame.event === "delta") return numberedDeltas(frame.data);
  if (frame.event !== "event") return [];
  const { type, data } = JSON.parse(frame.data) as AgentFrame;
  if (type === "turn.ended") return [{ kind: "end" }];
  const stamp = data.item?.startsWith("itm_") ? Number.parseInt(data.item.slice(4, 12), 36) : undefined;
  if (type === "message.done") return readNumbered(data.text, stamp);
  if (type === "tool.started") return readNumbered(data.input?.command, stamp);
  // The item id of an ended tool has the time of its start.
  if (type === "tool.ended") return readNumbered(data.output, undefined);
  return [];
}

function readNumbered(text: unknown, at: number | undefined): Received[] {
  const [, n] = typeof text === "string" ? (/^(?:message|true|output) (\d+)$/.exec(text) ?? []) : [];
  return n === undefined ? [] : [{ kind: "event", n: Number(n), at }];
}

/** A slow agent streams `word0 word1 …`. */
function numberedDeltas(data: string): Received[] {
  const { text = "" } = JSON.parse(data) as { text?: string };
  return [...text.matchAll(/word(\d+) /g)].map(([, n]) => ({ kind: "event", n: Number(n) }));
}
