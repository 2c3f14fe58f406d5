import type { AgentRow, KnownCommand, Model, Problem } from "@gantry/protocol";
import { readRpc, rpcNotification, rpcRequest } from "../../framing/json-rpc.ts";
import type { BriefResult, Probe, ProbeTools } from "../contract.ts";
import { compact, type Fields, fields, list, nonBlank, text } from "../fields.ts";
import { type Fallback, fallbackProbe, lacksChannel } from "../probing/fallback.ts";
import { CLIENT } from "./app-server/encode.ts";
import { exec } from "./exec/channel.ts";

type Auth = AgentRow["auth"];

/** Request ids of the probe. */
const ask = { initialize: 1, account: 2, models: 3, skills: 4 } as const;

const frames = [
  rpcRequest(ask.initialize, "initialize", CLIENT),
  rpcNotification("initialized"),
  rpcRequest(ask.skills, "skills/list", {}),
  rpcRequest(ask.account, "account/read", {}),
  rpcRequest(ask.models, "model/list", { limit: 100 }),
];

const INSTALL = "npm install -g @openai/codex";
const fallback: Fallback = {
  argument: "app-server",
  channel: exec.name,
  means: "`codex exec`: no approvals and no steering, one process per turn",
};

/** Probes version, login state and models. */
export async function probe(tools: ProbeTools): Promise<Probe> {
  const [version, { lines, ...ran }, status] = await Promise.all([
    readVersion(tools),
    tools.converse([fallback.argument], frames, isComplete, { timeoutMs: 15_000 }),
    tools.run(["login", "status"], { timeoutMs: 10_000 }),
  ]);
  if ("problem" in version) return { auth: unknownAuth("it does not run"), problems: [version.problem], ok: false };
  const results = readResults(lines);
  if (results[ask.initialize] === undefined) return { ...version, ...(await withoutAnswer(tools, ran, status)) };
  const auth = readAuth(results[ask.account], status, {});
  const problems = auth.state === "missing" ? [notLoggedIn] : [];
  const models = readModels(results[ask.models]);
  const commands = readSkills(results[ask.skills]);
  const listed = {
    models: models.length > 0 ? models : undefined,
    commands: commands.length > 0 ? commands : undefined,
  };
  return compact({ ...version, auth, ...listed, problems, ok: true });
}

/** Distinguishes a version without an app-server from one whose app-server fails. */
async function withoutAnswer(tools: ProbeTools, ran: BriefResult, status: BriefResult): Promise<Probe> {
  const auth = readAuth(undefined, status, tools.env);
  if (!(await lacksChannel(tools, fallback, ran))) return { auth, problems: [silent], ok: true };
  return { ...fallbackProbe({ main: "app-server", install: INSTALL }, fallback), auth };
}

const notLoggedIn: Problem = {
  code: "not_logged_in",
  message: "Codex is not logged in. Its app-server reads no key from the environment.",
  fix: "Run `codex login`, or `codex login --with-api-key` with the key on stdin.",
};

const silent: Problem = {
  code: "no_app_server",
  message: "Codex's app-server did not respond.",
  fix: "Run `codex app-server` in a terminal to see its output.",
};

async function readVersion(tools: ProbeTools): Promise<{ version: string } | { problem: Problem }> {
  const { code, stdout, stderr, failed, timedOut } = await tools.run(["--version"], { timeoutMs: 10_000 });
  const version = /codex\S*\s+v?(\d+\.\d+\.\d+\S*)/.exec(stdout)?.[1];
  if (version) return { version };
  const why = failed ?? (timedOut ? "it did not answer" : (nonBlank(stderr) ?? `exit code ${code}`));
  const message = `\`codex --version\` failed: ${why.trim().slice(0, 300)}`;
  return { problem: { code: "broken", message, fix: `Reinstall it: \`${INSTALL}\`.` } };
}

function isComplete(lines: unknown[]): boolean {
  const ids = lines
    .map((line) => readRpc(line))
    .map((message) => (message && "id" in message ? message.id : undefined));
  return ids.includes(ask.models) && ids.includes(ask.account);
}

function readResults(lines: unknown[]): Partial<Record<number, Fields>> {
  const messages = lines.map(readRpc).filter((message) => message?.kind === "result");
  return Object.fromEntries(messages.map((message) => [message.id, fields(message.result)]));
}

/** The account from the app-server, or from the command line. Only `exec` reads a key from `env`. */
function readAuth(
  account: Fields | undefined,
  status: { code: number | null; stdout: string; stderr: string },
  env: Record<string, string>,
): Auth {
  const { type, email } = fields(account?.account);
  const kind = nonBlank(type);
  if (kind) return { state: "ok", how: `account of type ${kind}`, account: nonBlank(email) ?? kind };
  if (nonBlank(env.CODEX_API_KEY)) return { state: "ok", how: "CODEX_API_KEY is set" };
  if (account?.requiresOpenaiAuth === false) return { state: "unknown", how: "its provider has a separate key" };
  if (status.code === 0)
    return { state: "ok", how: nonBlank(status.stdout)?.trim() ?? nonBlank(status.stderr)?.trim() ?? "login status" };
  // Without an app-server it is unknown whether the configured provider needs this login.
  if (!account) return unknownAuth("not logged in, which another provider may not require");
  if (/not logged in/i.test(status.stdout + status.stderr)) return { state: "missing", how: "`codex login status`" };
  return account?.requiresOpenaiAuth === true
    ? { state: "missing", how: "account/read" }
    : unknownAuth("`codex login status` failed");
}

function unknownAuth(how: string): Auth {
  return { state: "unknown", how };
}

/** The skills that every folder has. Not all versions list them. */
function readSkills(result: Fields | undefined): KnownCommand[] {
  return list(result?.data)
    .flatMap((entry) => list(fields(entry).skills))
    .map(fields)
    .filter(({ name, enabled, scope }) => nonBlank(name) && enabled !== false && scope !== "repo")
    .map(({ name, description }) => {
      const command = { name: String(name), description: nonBlank(description)?.slice(0, 300) };
      return compact({ ...command, kind: "skill" as const, scope: "agent" as const });
    });
}

function readModels(result: Fields | undefined): Model[] {
  return list(result?.data)
    .map(fields)
    .filter((model) => model.hidden !== true && nonBlank(model.model ?? model.id))
    .map((model) => ({
      id: String(model.model ?? model.id),
      name: nonBlank(model.displayName) ?? String(model.model ?? model.id),
      default: model.isDefault === true,
      efforts: list(model.supportedReasoningEfforts)
        .map(effortName)
        .filter((effort) => effort !== ""),
    }));
}

function effortName(effort: unknown): string {
  return text(effort) ?? text(fields(effort).reasoningEffort) ?? "";
}
