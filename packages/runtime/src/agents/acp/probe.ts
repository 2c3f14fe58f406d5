import { tmpdir } from "node:os";
import type { AgentRow, Model, Problem } from "@gantry/protocol";
import { readRpc, rpcErrors, rpcFailure, rpcRequest, withVersion } from "../../framing/json-rpc.ts";
import type { BriefResult, Probe, ProbeTools } from "../contract.ts";
import { compact, fields, firstLine, nonBlank } from "../fields.ts";
import { type Fallback, fallbackProbe, lacksChannel } from "../probing/fallback.ts";
import type { Dialect } from "./dialect.ts";
import { errorText, loginText, needsLogin } from "./failures.ts";
import { initializeParams } from "./opening/initialize.ts";
import { readSettings } from "./wire/settings.ts";

/** How to probe an agent. */
export type AcpProbe = {
  name: string;
  /** The install command. */
  install: string;
  dialect: Dialect;
  /**
   * Arguments that print the version, for programs whose `initialize` response lacks it; `--version` by default.
   * `greeting`: rely on the response only.
   */
  version?: readonly string[] | "greeting";
  /**
   * `session` opens a conversation, which alone reveals models and login state. `greeting` stops after `initialize`,
   * for agents that store every opened conversation or open one slowly.
   */
  depth: "session" | "greeting";
  /** Arguments that print the models, one `provider/model` per line, for agents probed with `greeting`. */
  models?: readonly string[];
  /** A conversation opens only when logged in. */
  opensForUsersOnly?: boolean;
  /** For agents with more channels: what to do with a version without ACP. */
  fallback?: Fallback;
};

const ask = { initialize: 1, session: 2 } as const;
const TALK_MS = 25_000;
const VERSION_MS = 20_000;
const LIST_MS = 40_000;

/**
 * Probes an ACP agent: version, login state and models. Some agents start slowly, so one process answers as much as
 * possible.
 */
export function acpProbe(asking: AcpProbe): (tools: ProbeTools) => Promise<Probe> {
  return async (tools) => {
    const [{ greeted, opened, refused, ...talked }, listed] = await Promise.all([
      handshake(asking, tools),
      readModels(asking, tools),
    ]);
    if (!greeted) return withoutGreeting(asking, tools, talked);
    const version = talked.version ?? (await readVersion(asking, tools)).version;
    const auth = readAuth(asking, opened !== undefined, refused);
    const problems = auth.state === "missing" ? [notLoggedIn(asking)] : [];
    const models = [...(opened ?? []), ...listed];
    return compact({ version, auth, models: models.length > 0 ? models : undefined, problems, ok: true });
  };
}

/** Finds out why there was no reply: the program does not run, has no ACP, or does not respond. */
async function withoutGreeting(
  asking: AcpProbe,
  tools: ProbeTools,
  { ran, error }: Pick<Handshake, "ran" | "error">,
): Promise<Probe> {
  const { fallback, install } = asking;
  const [{ version, problem }, lacks] = await Promise.all([
    readVersion(asking, tools),
    fallback !== undefined && lacksChannel(tools, fallback, ran),
  ]);
  if (problem) return { auth: unknownAuth("it does not run"), problems: [problem], ok: false };
  if (fallback && lacks) return compact({ version, ...fallbackProbe({ main: "ACP", install }, fallback) });
  return compact({
    version,
    auth: unknownAuth("it did not respond"),
    problems: [noResponse(asking, tools, ran, error)],
    ok: version !== undefined,
  });
}

async function readVersion(asking: AcpProbe, tools: ProbeTools): Promise<{ version?: string; problem?: Problem }> {
  if (asking.version === "greeting") return {};
  const args = [...(asking.version ?? ["--version"])];
  const { code, stdout, stderr, failed, timedOut } = await tools.run(args, { timeoutMs: VERSION_MS });
  const version = versionIn(`${stdout}\n${stderr}`);
  if (version && !failed) return { version };
  const why = failed ?? (timedOut ? "it did not respond" : (nonBlank(stderr) ?? `exit code ${code}`));
  const message = `\`${asking.dialect.agent} ${args.join(" ")}\` failed: ${why.trim().slice(0, 300)}`;
  return { problem: { code: "broken", message, fix: `Reinstall it: \`${asking.install}\`.` } };
}

async function readModels(asking: AcpProbe, tools: ProbeTools): Promise<Model[]> {
  if (!asking.models) return [];
  const { code, stdout } = await tools.run([...asking.models], { timeoutMs: LIST_MS });
  if (code !== 0) return [];
  const ids = stdout.split("\n").filter((line) => /^[\w.-]+\/\S+$/.test(line));
  return ids.map((id) => ({ id, name: id, default: false, efforts: [] }));
}

function versionIn(text: string | undefined): string | undefined {
  return /\bv?(\d+\.\d+(?:[\w.+-]*\w)?)/.exec(text ?? "")?.[1];
}

type Handshake = {
  greeted: boolean;
  version?: string;
  opened?: Model[];
  refused?: { login: boolean; message: string };
  /** The agent's error in place of an `initialize` result. */
  error?: string;
  ran: BriefResult;
};

async function handshake({ dialect, depth }: AcpProbe, tools: ProbeTools): Promise<Handshake> {
  const frames = [withVersion(rpcRequest(ask.initialize, "initialize", initializeParams(dialect.version)))];
  const last = depth === "session" ? ask.session : ask.initialize;
  const params = { cwd: tmpdir(), mcpServers: [] };
  const next = withVersion(rpcRequest(ask.session, "session/new", params));
  const reply = (line: unknown): unknown[] => {
    const message = readRpc(line);
    if (message?.kind === "request") {
      return [withVersion(rpcFailure(message.id, rpcErrors.methodNotFound, "This client only sends requests."))];
    }
    return message?.kind === "result" && message.id === ask.initialize && depth === "session" ? [next] : [];
  };
  const done = (lines: unknown[]) => lines.some((line) => isAnswer(line, last) || isError(line, ask.initialize));
  const { lines, ...ran } = await tools.converse([...dialect.args], frames, done, { timeoutMs: TALK_MS, reply });
  return readHandshake(dialect, lines, ran);
}

function isAnswer(line: unknown, id: number): boolean {
  const message = readRpc(line);
  return (message?.kind === "result" || message?.kind === "error") && message.id === id;
}

function isError(line: unknown, id: number): boolean {
  const message = readRpc(line);
  return message?.kind === "error" && message.id === id;
}

function readHandshake({ modelName }: Dialect, lines: unknown[], ran: BriefResult): Handshake {
  const talked: Handshake = { greeted: false, ran };
  for (const message of lines.map(readRpc)) {
    if (message?.kind === "result" && message.id === ask.initialize) {
      talked.greeted = true;
      talked.version = versionIn(nonBlank(fields(fields(message.result).agentInfo).version));
    }
    if (message?.kind === "result" && message.id === ask.session)
      talked.opened = readSettings(fields(message.result), modelName).models;
    if (message?.kind === "error" && message.id === ask.initialize) talked.error = errorText(message.error);
    if (message?.kind === "error" && message.id === ask.session) {
      talked.refused = { login: needsLogin(message.error), message: message.error.message };
    }
  }
  return talked;
}

function readAuth({ opensForUsersOnly }: AcpProbe, opened: boolean, refused: Handshake["refused"]): AgentRow["auth"] {
  if (refused?.login) return { state: "missing", how: refused.message };
  if (!opened) return unknownAuth(refused ? refused.message : "reported only when a conversation is opened");
  return opensForUsersOnly
    ? { state: "ok", how: "it opened a conversation" }
    : unknownAuth("it opens conversations without a login");
}

function unknownAuth(how: string): AgentRow["auth"] {
  return { state: "unknown", how };
}

function notLoggedIn({ name, dialect }: AcpProbe): Problem {
  const fix = `Run ${loginText(dialect)}, or configure a key for it.`;
  return { code: "not_logged_in", message: `${name} is not logged in.`, fix };
}

function noResponse({ name, dialect }: AcpProbe, { bin }: ProbeTools, ran: BriefResult, error?: string): Problem {
  const output = firstLine(ran.stderr) || firstLine(ran.stdout);
  const answer = error === undefined ? undefined : `answered initialize with an error: ${firstLine(error, 300)}`;
  const how = answer ?? exitText(ran, output);
  const command = [bin, ...dialect.args].join(" ");
  const message = `${name} failed the ACP handshake: it ${how}.`;
  return { code: "no_acp", message, fix: `Run \`${command}\` in a terminal to see its output.` };
}

function exitText(ran: BriefResult, output: string): string {
  const silence = ran.timedOut ? "did not respond in time" : "sent no valid response";
  return hasExited(ran) ? `ended with code ${ran.code}${output ? `: ${output}` : ""}` : silence;
}

function hasExited({ code, failed }: BriefResult): boolean {
  return code !== null || failed !== undefined;
}
