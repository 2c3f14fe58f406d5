import { randomUUID } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { callJson, fetchBytes, freePort, startServer } from "../child.ts";
import { resumeAt, type SseFrame } from "../client/sse-reader.ts";
import { fromWallClock, until } from "../measure.ts";
import type { Contestant, Conversation, Received, Server } from "../server.ts";
import { installPeer } from "./install.ts";
import { importHistory } from "./opencode-history.ts";
import { startStampedModel } from "./stamped-model.ts";

export const OPENCODE_VERSION = "1.18.33";

/** The path of the program, which is installed if it is missing. */
export function installOpenCode(): string {
  const platform = `opencode-${process.platform}-${process.arch}`;
  return installPeer("opencode", [`${platform}@${OPENCODE_VERSION}`], `${platform}/bin/opencode`);
}

/** `opencode serve` with its own agent and the model of `stamped-model.ts`. */
export function openCode(): Contestant {
  const program = installOpenCode();
  return {
    name: "opencode",
    cannot: { replay: "its stream starts at the current event" },
    history: {
      most: 100_000,
      make: (home, count) => importHistory(program, home, count, settings("http://127.0.0.1:9")),
    },
    async start(home) {
      const model = await startStampedModel();
      const port = await freePort();
      const mark = randomUUID();
      const url = `http://127.0.0.1:${port}`;
      const command = [program, "serve", "--port", String(port), "--hostname", "127.0.0.1"];
      try {
        const running = await startServer({ command, home, mark, env: settings(model.url), healthUrl: `${url}/doc` });
        return assemble(running, mark, url, home, model.close);
      } catch (error) {
        model.close();
        throw error;
      }
    },
  };
}

function settings(modelUrl: string): Record<string, string> {
  const options = { baseURL: `${modelUrl}/v1`, apiKey: "sk-bench-no-account-is-needed-here" };
  const limit = { context: 10_000_000, output: 1_000_000 };
  const models = { stamped: { name: "Stamped", tool_call: true, limit }, mini: { name: "Mini", limit } };
  const config = {
    autoupdate: false,
    share: "disabled",
    model: "bench/stamped",
    small_model: "bench/mini",
    enabled_providers: ["bench"],
    provider: { bench: { npm: "@ai-sdk/openai-compatible", name: "Bench", options, models } },
    permission: { edit: "allow", bash: "allow" },
  };
  return {
    OPENCODE_CONFIG_CONTENT: JSON.stringify(config),
    OPENCODE_DISABLE_MODELS_FETCH: "1",
    OPENCODE_DISABLE_AUTOUPDATE: "1",
    OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
    OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
    OPENCODE_DISABLE_SHARE: "1",
  };
}

function assemble(
  running: Pick<Server, "pid" | "readyMs" | "kill" | "stop">,
  mark: string,
  url: string,
  home: string,
  closeModel: () => void,
): Server {
  const cwd = join(home, "work");
  mkdirSync(cwd, { recursive: true });
  const folder = `directory=${encodeURIComponent(cwd)}`;
  const closeModelAfter = (end: () => Promise<void>) => async () => {
    await end();
    closeModel();
  };
  return {
    pid: running.pid,
    readyMs: running.readyMs,
    mark,
    kill: closeModelAfter(running.kill),
    stop: closeModelAfter(running.stop),
    async open() {
      const { id } = await callJson<{ id: string }>("POST", `${url}/session?${folder}`, { title: "bench" });
      return makeConversation(url, folder, id);
    },
    reopen: (session) => makeConversation(url, folder, session),
  };
}

function makeConversation(url: string, folder: string, session: string): Conversation {
  const base = `${url}/session/${session}`;
  const prompt = async (text: string) => {
    await callJson("POST", `${base}/prompt_async?${folder}`, { parts: [{ type: "text", text }] });
  };
  const messages = async () => {
    const response = await fetch(`${base}/message?${folder}`, { signal: AbortSignal.timeout(60_000) });
    return response.text();
  };
  return {
    session,
    stream: (lastId) => ({
      url: `${url}/event?${folder}`,
      headers: resumeAt(lastId),
    }),
    parseFrame: (frame) => parseFrame(frame, session),
    burst: (count) => prompt(`[[burst:${count}]]`),
    workSlowly: (seconds) => prompt(`[[slow:${seconds * 10}:100]]`),
    answer: () => prompt("[[burst:4]]"),
    async bulk(bytes) {
      const turns = (await messages()).split('"finish":"stop"').length;
      await prompt(`[[bulk:${bytes}]]`);
      await until("the turn's end", async () => (await messages()).split('"finish":"stop"').length > turns, {
        everyMs: 200,
      });
    },
    page: async ({ messages: limit }) =>
      (await fetchBytes(`${base}?${folder}`)) + (await fetchBytes(`${base}/message?${folder}&limit=${limit}`)),
    stored: async () => numbersIn(await messages()).map(({ n }) => n),
  };
}

type AgentFrame = { type: string; properties?: { sessionID?: string; field?: string; delta?: string } };

function parseFrame(frame: SseFrame, session: string): Received[] {
  const { type, properties } = JSON.parse(frame.data) as AgentFrame;
  if (properties?.sessionID !== session) return [];
  if (type === "session.idle") return [{ kind: "end" }];
  if (type !== "message.part.delta") return [];
  return numbersIn(properties.delta ?? "").map(({ n, at }) => ({ kind: "event", n, at }));
}

/** The numbers and creation times that the model wrote into the text. */
function numbersIn(text: string): { n: number; at: number }[] {
  const pieces = text.matchAll(/(\d+) (\d{13}) message/g);
  return [...pieces].map(([, n, at]) => ({ n: Number(n), at: fromWallClock(Number(at)) }));
}
