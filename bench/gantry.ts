import { randomUUID } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { MALLOC_SETTINGS } from "../packages/cli/src/daemon/malloc-settings.ts";
import { acpAgent, readStamp, replayAgent } from "./agents/bare-pipe.ts";
import { readRecording, type Vendor } from "./agents/recording.ts";
import { callJson, fetchBytes, freePort, GANTRY, startServer } from "./child.ts";
import { resumeAt, type SseFrame } from "./client/sse-reader.ts";
import { fromWallClock, until } from "./measure.ts";
import type { Contestant, Conversation, Received, Server } from "./server.ts";

type Options = { NODE_COMPILE_CACHE?: string };
type GantryContestant = Omit<Contestant, "start"> & { start(home: string, options?: Options): Promise<Server> };

/** An agent behind Gantry, with the prompts for its scenarios. */
export type GantryAgent = {
  id: string;
  mode: string;
  /** The text of its local profile; without one it is a built-in agent. */
  profile?: string;
  prompts: Record<"answer" | "bulk", string>;
  parseFrame(frame: SseFrame): Received[];
};

/** Gantry from this checkout, as `./gantry serve` starts it, with the given agent. */
export function gantryWith(agent: GantryAgent): GantryContestant {
  return {
    name: "gantry",
    cannot: {},
    async start(home, options = {}) {
      const port = await freePort();
      const mark = randomUUID();
      const url = `http://127.0.0.1:${port}`;
      const gantryHome = join(home, "gantry");
      if (agent.profile) writeProfile(gantryHome, agent.id, agent.profile);
      const serve = ["serve", "--json", "--on-stop", "release", "--port", String(port)];
      const command = [...GANTRY, ...serve];
      // The peers send no requests for titles either.
      const env = { ...MALLOC_SETTINGS, GANTRY_HOME: gantryHome, GANTRY_TEXT_HELPER: "off", ...options };
      const running = await startServer({ command, home, mark, env, healthUrl: `${url}/v1/health` });
      const headers = { authorization: `Bearer ${readFileSync(join(gantryHome, "token"), "utf8").trim()}` };
      return assemble({ ...running, mark, url, headers }, home, agent);
    },
  };
}

/** Gantry with its scripted agent. */
export const gantry = gantryWith({
  id: "scripted",
  mode: "full-auto",
  prompts: { answer: "[[text]]", bulk: "bigoutput" },
  parseFrame: parseScripted,
});

/** Gantry with the agent of the peers that drive ACP agents. */
export const gantryWithAcp = gantryWith({
  id: "bench-acp",
  mode: "inherit",
  profile: `extends: acp\ncommand: ${JSON.stringify(acpAgent.command)}\n`,
  prompts: { answer: "[[tools:4]]", bulk: "bulk" },
  parseFrame: parseAcp,
});

/** Gantry with a program that repeats a recording of the vendor's. */
export function gantryReplaying(vendor: Vendor): GantryContestant {
  const { edges } = readRecording(vendor);
  const places = new Map(edges.map((edge, place) => [edge, place]));
  return gantryWith({
    id: `bench-${vendor}`,
    mode: "ask",
    profile: `extends: ${vendor}\ncommand: ${JSON.stringify(replayAgent(vendor).command)}\n`,
    prompts: { answer: "[[burst:1]]", bulk: "burst" },
    parseFrame: (frame) => parseReplayed(frame, places),
  });
}

function writeProfile(home: string, id: string, text: string): void {
  mkdirSync(join(home, "agents"), { recursive: true, mode: 0o700 });
  writeFileSync(join(home, "agents", `${id}.yml`), `id: ${id}\n${text}`);
}

type Parts = Pick<Server, "pid" | "readyMs" | "mark" | "kill" | "stop"> & { url: string; headers: Headers };
type Headers = Record<string, string>;

function assemble(parts: Parts, home: string, agent: GantryAgent): Server {
  const { url, headers } = parts;
  const cwd = join(home, "work");
  mkdirSync(cwd, { recursive: true });
  const conversation = (session: string) => makeConversation(url, headers, session, agent);
  return {
    ...parts,
    reopen: conversation,
    async list() {
      type Page = { sessions: unknown[]; nextCursor?: string };
      let [listed, query] = [0, "limit=500"];
      for (;;) {
        const page = await callJson<Page>("GET", `${url}/v1/sessions?${query}`, undefined, headers);
        listed += page.sessions.length;
        if (!page.nextCursor) return listed;
        query = `limit=500&cursor=${encodeURIComponent(page.nextCursor)}`;
      }
    },
    async open() {
      const body = { agent: agent.id, cwd, mode: agent.mode };
      const { id } = await callJson<{ id: string }>("POST", `${url}/v1/sessions`, body, headers);
      return conversation(id);
    },
  };
}

function makeConversation(url: string, headers: Headers, session: string, agent: GantryAgent): Conversation {
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
    parseFrame: agent.parseFrame,
    burst: (count) => send(`[[burst:${count}]]`),
    tools: (count) => send(`[[tools:${count}]]`),
    flood: (ms) => send(`[[flood:${ms}]]`),
    paced: (count, everyMs) => send(`[[paced:${count}:${everyMs}]]`),
    workSlowly: (seconds) => send(`[[slow:${seconds * 10}:100]]`),
    answer: () => send(agent.prompts.answer),
    async bulk(bytes) {
      await send(`[[${agent.prompts.bulk}:${bytes}]]`);
      await waitForIdle();
    },
    async page({ events }) {
      let bytes = 0;
      for (const target of [base, `${base}/events?tail=${events}`]) bytes += await fetchBytes(target, headers);
      return bytes;
    },
  };
}

type LogEvent = {
  type: string;
  data: { item?: string; text?: string; title?: string; output?: unknown; input?: { command?: string } };
};

/** The fake ACP agent writes number and time into the title of a call and into its output. */
function parseAcp(frame: SseFrame): Received[] {
  if (frame.event !== "event") return [];
  const { type, data } = JSON.parse(frame.data) as LogEvent;
  if (type === "turn.ended") return [{ kind: "end" }];
  const found = readStamp(type === "tool.started" ? data.title : data.output);
  return found ? [{ kind: "event", ...found }] : [];
}

/** The item of a tool call is `itm_<recorded id>_<repetition>_<time>`. */
function parseReplayed(frame: SseFrame, places: ReadonlyMap<string, number>): Received[] {
  if (frame.event !== "event") return [];
  const { type, data } = JSON.parse(frame.data) as LogEvent;
  if (type === "turn.ended") return [{ kind: "end" }];
  if (type !== "tool.started" && type !== "tool.ended") return [];
  const [, id, repetition, at] = /^itm_(\w+?)_(\d+)_(\d+)$/.exec(data.item ?? "") ?? [];
  const place = places.get(`${id} ${type.slice("tool.".length)}`);
  if (place === undefined) return [];
  return [{ kind: "event", n: Number(repetition) * places.size + place, at: Number(at) / 1000 }];
}

/** The scripted agent numbers the events of a burst, and its item ids begin with the time. */
function parseScripted(frame: SseFrame): Received[] {
  if (frame.event === "delta") return numberedDeltas(frame.data);
  if (frame.event !== "event") return [];
  const { type, data } = JSON.parse(frame.data) as LogEvent;
  if (type === "turn.ended") return [{ kind: "end" }];
  const stamp = data.item?.startsWith("itm_") ? fromWallClock(Number.parseInt(data.item.slice(4, 12), 36)) : undefined;
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
