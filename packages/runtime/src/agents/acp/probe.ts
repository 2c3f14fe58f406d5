import { tmpdir } from "node:os";
import type { AgentRow, Model, Problem } from "@gantry/protocol";
import { readRpc, rpcErrors, rpcFailure, rpcRequest, withVersion } from "../../framing/json-rpc.ts";
import type { Probe, ProbeTools } from "../contract.ts";
import type { Dialect } from "./dialect.ts";
import { needsLogin } from "./failures.ts";
import { initializeParams } from "./opening/greeting.ts";
import { compact, fields, words } from "./wire/fields.ts";
import { readOffers } from "./wire/offers.ts";

/** How an agent is asked what it is. */
export type Asking = {
  name: string;
  /** How to install it again. */
  install: string;
  dialect: Dialect;
  /** Arguments that print the version; by default `--version`. */
  version?: string[];
  /**
   * How far to go: `session` opens a conversation that is never used, which alone tells models and login; `greeting`
   * only greets, for agents that keep every conversation that was ever opened or take long to open one.
   */
  depth: "session" | "greeting";
  /** A conversation opens only for those who are logged in. */
  opensForUsersOnly?: boolean;
};

const ask = { initialize: 1, session: 2 } as const;
const TALK_MS = 15_000;

/** The probe of an agent that speaks ACP: its version, whether it may be used, and the models that it offers. */
export function acpProbe(asking: Asking): (tools: ProbeTools) => Promise<Probe> {
  return async (tools) => {
    // Some take seconds to start, so both questions are asked at once.
    const [version, talked] = await Promise.all([readVersion(asking, tools), talk(asking, tools)]);
    if ("problem" in version) return { auth: unknown("it does not run"), problems: [version.problem], ok: false };
    const { greeted, opened, refused } = talked;
    if (!greeted) return { ...version, auth: unknown("it did not answer"), problems: [silent(asking)], ok: true };
    const auth = readAuth(asking, opened !== undefined, refused);
    const problems = auth.state === "missing" ? [notLoggedIn(asking)] : [];
    return compact({ ...version, auth, models: opened?.length ? opened : undefined, problems, ok: true });
  };
}

async function readVersion(asking: Asking, tools: ProbeTools): Promise<{ version: string } | { problem: Problem }> {
  const args = asking.version ?? ["--version"];
  const { code, stdout, stderr, failed, timedOut } = await tools.run(args, { timeoutMs: 10_000 });
  const version = /\bv?(\d+\.\d+(?:[\w.+-]*\w)?)/.exec(`${stdout}\n${stderr}`)?.[1];
  if (version && !failed) return { version };
  const why = failed ?? (timedOut ? "it did not answer" : (words(stderr) ?? `exit code ${code}`));
  const message = `\`${asking.dialect.agent} ${args.join(" ")}\` failed: ${why.trim().slice(0, 300)}`;
  return { problem: { code: "broken", message, fix: `Install it again: \`${asking.install}\`.` } };
}

type Talked = { greeted: boolean; opened?: Model[]; refused?: { login: boolean; message: string } };

async function talk({ dialect, depth }: Asking, tools: ProbeTools): Promise<Talked> {
  const frames = [withVersion(rpcRequest(ask.initialize, "initialize", initializeParams(dialect.version)))];
  const last = depth === "session" ? ask.session : ask.initialize;
  const params = { cwd: tmpdir(), mcpServers: [] };
  const next = withVersion(rpcRequest(ask.session, "session/new", params));
  const reply = (line: unknown): unknown[] => {
    const message = readRpc(line);
    if (message?.kind === "request") {
      return [withVersion(rpcFailure(message.id, rpcErrors.methodNotFound, "This client only asks."))];
    }
    return message?.kind === "result" && message.id === ask.initialize && depth === "session" ? [next] : [];
  };
  const done = (lines: unknown[]) => lines.some((line) => isAnswer(line, last) || isError(line, ask.initialize));
  const lines = await tools.converse([...dialect.args], frames, done, { timeoutMs: TALK_MS, reply });
  return readTalk(lines);
}

function isAnswer(line: unknown, id: number): boolean {
  const message = readRpc(line);
  return (message?.kind === "result" || message?.kind === "error") && message.id === id;
}

function isError(line: unknown, id: number): boolean {
  const message = readRpc(line);
  return message?.kind === "error" && message.id === id;
}

function readTalk(lines: unknown[]): Talked {
  const talked: Talked = { greeted: false };
  for (const message of lines.map(readRpc)) {
    if (message?.kind === "result" && message.id === ask.initialize) talked.greeted = true;
    if (message?.kind === "result" && message.id === ask.session)
      talked.opened = readOffers(fields(message.result)).models;
    if (message?.kind === "error" && message.id === ask.session) {
      talked.refused = { login: needsLogin(message.error), message: message.error.message };
    }
  }
  return talked;
}

function readAuth({ opensForUsersOnly }: Asking, opened: boolean, refused: Talked["refused"]): AgentRow["auth"] {
  if (refused?.login) return { state: "missing", how: refused.message };
  if (!opened) return unknown(refused ? refused.message : "it tells only when a conversation is opened");
  return opensForUsersOnly
    ? { state: "ok", how: "it opened a conversation" }
    : unknown("it opens conversations without a login");
}

function unknown(how: string): AgentRow["auth"] {
  return { state: "unknown", how };
}

function notLoggedIn({ name, dialect }: Asking): Problem {
  const fix = `Run \`${dialect.login}\`, or give it a key in its own way.`;
  return { code: "not_logged_in", message: `${name} is not logged in.`, fix };
}

function silent({ name, install }: Asking): Problem {
  const message = `${name} did not answer the greeting of the Agent Client Protocol.`;
  return { code: "no_acp", message, fix: `Update it: \`${install}\`.` };
}
