import type { KnownCommand, Model, Problem } from "@gantry/protocol";
import type { Probe, ProbeTools } from "../contract.ts";
import { type Fields, fields, firstLine, nonBlank } from "../fields.ts";
import { listedCommands } from "./decode/settings.ts";
import { handshake } from "./encode.ts";
import { readModels } from "./models.ts";

const INSTALL = "npm install -g @anthropic-ai/claude-code";
const LOGIN = "claude auth login, or set ANTHROPIC_API_KEY";

/** Probes version, login and models. Needs no network. */
export async function probe(tools: ProbeTools): Promise<Probe> {
  const [version, auth, { models, commands }] = await Promise.all([
    askVersion(tools),
    askAuth(tools),
    askModels(tools),
  ]);
  if ("problem" in version) return { auth: auth.auth, problems: [version.problem], ok: false };
  const problems = [...(auth.problem ? [auth.problem] : []), ...(models.length > 0 ? [] : [noModels])];
  const listed = { ...(models.length > 0 ? { models } : {}), ...(commands.length > 0 ? { commands } : {}) };
  return { version: version.version, auth: auth.auth, problems, ok: true, ...listed };
}

const noModels: Problem = {
  code: "no_models",
  message: "Claude Code did not list its models in time. A built-in list is shown.",
  fix: "Run `claude --version` and `claude auth status` in a terminal to see why it does not respond.",
};

type Version = { version: string } | { problem: Problem };

async function askVersion(tools: ProbeTools): Promise<Version> {
  const { stdout, stderr, failed, timedOut } = await tools.run(["--version"], { timeoutMs: 10_000 });
  const [, version] = /^(\d+\.\d+\.\d+\S*) \(Claude Code\)/m.exec(stdout) ?? [];
  if (version) return { version };
  const why = failed ?? (timedOut ? "it did not respond in time" : firstLine(stderr || stdout) || "no output");
  const message = `${tools.bin} does not run as Claude Code: ${why}`;
  return { problem: { code: "broken", message, fix: INSTALL } };
}

type Auth = { auth: Probe["auth"]; problem?: Problem };

/** `auth status` always prints JSON. Older versions lack the command; then the state is unknown. */
async function askAuth(tools: ProbeTools): Promise<Auth> {
  const { stdout } = await tools.run(["auth", "status"], { timeoutMs: 10_000 });
  const status = parse(stdout);
  if (status.loggedIn === true) {
    const how = [nonBlank(status.authMethod), nonBlank(status.apiKeySource)].filter(Boolean).join(", ");
    const account = nonBlank(status.email) ?? nonBlank(status.apiKeySource);
    const auth = { state: "ok", how: `claude auth status: ${how || "logged in"}` } as const;
    return { auth: account ? { ...auth, account } : auth };
  }
  if (status.loggedIn === false) {
    const problem = { code: "not_logged_in", message: "Claude Code is not logged in.", fix: LOGIN };
    return { auth: { state: "missing", how: "claude auth status" }, problem };
  }
  return { auth: { state: "unknown", how: "claude auth status printed nothing" } };
}

function parse(stdout: string): Fields {
  try {
    return fields(JSON.parse(stdout));
  } catch {
    return {};
  }
}

const CONVERSE = ["-p", "--input-format", "stream-json", "--output-format", "stream-json", "--verbose"];

/** The handshake lists the models; no prompt is sent. */
async function askModels(tools: ProbeTools): Promise<{ models: Model[]; commands: KnownCommand[] }> {
  const frames = handshake().map((frame) => frame.msg);
  const hasAnswer = (lines: unknown[]) => lines.some(isAnswer);
  const { lines } = await tools.converse(CONVERSE, frames, hasAnswer, { timeoutMs: 15_000 });
  const answer = fields(fields(fields(lines.find(isAnswer)).response).response);
  const commands = listedCommands(answer.commands).map((command) => {
    return { ...command, kind: "command", scope: "agent" } as const;
  });
  return { models: readModels(answer.models), commands };
}

function isAnswer(line: unknown): boolean {
  return fields(line).type === "control_response";
}
