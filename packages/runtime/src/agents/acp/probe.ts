import { tmpdir } from "node:os";
import type { AgentRow, Model, Problem } from "@gantry/protocol";
import { readRpc, rpcErrors, rpcFailure, rpcRequest, withVersion } from "../../framing/json-rpc.ts";
import type { BriefResult, Probe, ProbeTools } from "../contract.ts";
import { compact, fields, firstLine, nonBlank } from "../fields.ts";
import { type Fallback, fallbackProbe, lacksChannel } from "../finding/fallback.ts";
import type { Dialect } from "./dialect.ts";
import { needsLogin } from "./failures.ts";
import { initializeParams } from "./opening/greeting.ts";
import { readOffers } from "./wire/offers.ts";

/** How an agent is asked what it is. */
export type Asking = {
  name: string;
  /** How to install it again. */
  install: string;
  dialect: Dialect;
  /**
   * Arguments that print the version, for programs whose greeting does not tell it; by default `--version`. `greeting`:
   * nothing else may be asked.
   */
  version?: readonly string[] | "greeting";
  /**
   * How far to go: `session` opens a conversation that is never used, which alone tells models and login; `greeting`
   * only greets, for agents that keep every conversation that was ever opened or take long to open one.
   */
  depth: "session" | "greeting";
  /** Arguments that print the models, one `provider/model` a line, for agents that are only greeted. */
  models?: readonly string[];
  /** A conversation opens only for those who are logged in. */
  opensForUsersOnly?: boolean;
  /** For agents with further channels: what to do with a version that has no ACP. */
  fallback?: Fallback;
};

const ask = { initialize: 1, session: 2 } as const;
const TALK_MS = 25_000;
const VERSION_MS = 20_000;
const LIST_MS = 40_000;

/**
 * The probe of an agent that speaks ACP: its version, whether it may be used, and the models that it offers. Some take
 * seconds to start, so one process answers everything where it can.
 */
export function acpProbe(asking: Asking): (tools: ProbeTools) => Promise<Probe> {
  return async (tools) => {
    const [{ greeted, opened, refused, ...talked }, listed] = await Promise.all([
      talk(asking, tools),
      readModels(asking, tools),
    ]);
    if (!greeted) return withoutGreeting(asking, tools, talked.ran);
    const version = talked.version ?? (await readVersion(asking, tools)).version;
    const auth = readAuth(asking, opened !== undefined, refused);
    const problems = auth.state === "missing" ? [notLoggedIn(asking)] : [];
    const models = [...(opened ?? []), ...listed];
    return compact({ version, auth, models: models.length > 0 ? models : undefined, problems, ok: true });
  };
}

/** It runs at all, or not; it knows no ACP; or it is silent for a reason of its own. */
async function withoutGreeting(asking: Asking, tools: ProbeTools, ran: BriefResult): Promise<Probe> {
  const { fallback, install } = asking;
  const [{ version, problem }, lacks] = await Promise.all([
    readVersion(asking, tools),
    fallback !== undefined && lacksChannel(tools, fallback, ran),
  ]);
  if (problem) return { auth: unknown("it does not run"), problems: [problem], ok: false };
  if (fallback && lacks) return compact({ version, ...fallbackProbe({ main: "ACP", install }, fallback) });
  return compact({
    version,
    auth: unknown("it did not answer"),
    problems: [silent(asking, tools, ran)],
    ok: version !== undefined,
  });
}

async function readVersion(asking: Asking, tools: ProbeTools): Promise<{ version?: string; problem?: Problem }> {
  if (asking.version === "greeting") return {};
  const args = [...(asking.version ?? ["--version"])];
  const { code, stdout, stderr, failed, timedOut } = await tools.run(args, { timeoutMs: VERSION_MS });
  const version = versionIn(`${stdout}\n${stderr}`);
  if (version && !failed) return { version };
  const why = failed ?? (timedOut ? "it did not answer" : (nonBlank(stderr) ?? `exit code ${code}`));
  const message = `\`${asking.dialect.agent} ${args.join(" ")}\` failed: ${why.trim().slice(0, 300)}`;
  return { problem: { code: "broken", message, fix: `Install it again: \`${asking.install}\`.` } };
}

async function readModels(asking: Asking, tools: ProbeTools): Promise<Model[]> {
  if (!asking.models) return [];
  const { code, stdout } = await tools.run([...asking.models], { timeoutMs: LIST_MS });
  if (code !== 0) return [];
  const ids = stdout.split("\n").filter((line) => /^[\w.-]+\/\S+$/.test(line));
  return ids.map((id) => ({ id, name: id, default: false, efforts: [] }));
}

function versionIn(text: string | undefined): string | undefined {
  return /\bv?(\d+\.\d+(?:[\w.+-]*\w)?)/.exec(text ?? "")?.[1];
}

type Talked = {
  greeted: boolean;
  version?: string;
  opened?: Model[];
  refused?: { login: boolean; message: string };
  ran: BriefResult;
};

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
  const { lines, ...ran } = await tools.converse([...dialect.args], frames, done, { timeoutMs: TALK_MS, reply });
  return readTalk(dialect, lines, ran);
}

function isAnswer(line: unknown, id: number): boolean {
  const message = readRpc(line);
  return (message?.kind === "result" || message?.kind === "error") && message.id === id;
}

function isError(line: unknown, id: number): boolean {
  const message = readRpc(line);
  return message?.kind === "error" && message.id === id;
}

function readTalk({ modelName }: Dialect, lines: unknown[], ran: BriefResult): Talked {
  const talked: Talked = { greeted: false, ran };
  for (const message of lines.map(readRpc)) {
    if (message?.kind === "result" && message.id === ask.initialize) {
      talked.greeted = true;
      talked.version = versionIn(nonBlank(fields(fields(message.result).agentInfo).version));
    }
    if (message?.kind === "result" && message.id === ask.session)
      talked.opened = readOffers(fields(message.result), modelName).models;
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

function silent({ name, dialect }: Asking, { bin }: ProbeTools, ran: BriefResult): Problem {
  const said = firstLine(ran.stderr) || firstLine(ran.stdout);
  const mute = ran.timedOut ? "said nothing in time" : "gave no answer that is one";
  const how = ended(ran) ? `ended with code ${ran.code}${said ? `: ${said}` : ""}` : mute;
  const command = [bin, ...dialect.args].join(" ");
  const message = `${name} was greeted over ACP and ${how}.`;
  return { code: "no_acp", message, fix: `Run \`${command}\` in a terminal to see what it says.` };
}

function ended({ code, failed }: BriefResult): boolean {
  return code !== null || failed !== undefined;
}
