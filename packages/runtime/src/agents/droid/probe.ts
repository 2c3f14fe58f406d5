import type { Problem } from "@gantry/protocol";
import { acpProbe } from "../acp/probe.ts";
import type { Probe, ProbeTools } from "../contract.ts";
import { fields, firstLine } from "../fields.ts";
import { type Fallback, fallbackProbe, lacksChannel } from "../probing/fallback.ts";
import { dialect } from "./dialect.ts";
import { exec } from "./exec/channel.ts";
import { request } from "./exec/rpc/encode.ts";
import { readModels } from "./exec/rpc/models.ts";
import { CHANNEL } from "./exec/rpc/state.ts";

export const INSTALL = "npm install -g droid";

const fallback: Fallback = {
  argument: CHANNEL,
  help: ["exec", "--help"],
  channel: exec.name,
  means: "its print mode: no approvals, one process per turn",
};

/** Only ACP reveals the login state: it opens a session only when logged in. */
const askLogin = acpProbe({ name: "Droid", install: INSTALL, dialect, depth: "session", opensForUsersOnly: true });

/** Probes version and models, and the login only if no custom model is configured. */
export async function probe(tools: ProbeTools): Promise<Probe> {
  const [version, { models, ran }] = await Promise.all([askVersion(tools), askModels(tools)]);
  if ("problem" in version) return { auth: unknownAuth("it does not run"), problems: [version.problem], ok: false };
  if (!models) {
    const lacks = await lacksChannel(tools, fallback, ran);
    if (lacks) return { ...version, ...fallbackProbe({ main: "JSON-RPC stream", install: INSTALL }, fallback) };
    return { ...version, auth: unknownAuth("it did not answer"), problems: [silent], ok: true };
  }
  if (models.some(({ id }) => id.startsWith(CUSTOM))) {
    const auth = { state: "ok", how: "custom models need no Factory account" } as const;
    return { ...version, auth, models, problems: [], ok: true };
  }
  const { auth, problems } = await askLogin(tools);
  return { ...version, auth, models, problems, ok: true };
}

const CUSTOM = "custom:";

const silent: Problem = {
  code: "no_answer",
  message: "Droid did not list its models in time.",
  fix: "Run `droid exec --list-tools` in a terminal to see why it does not respond.",
};

function unknownAuth(how: string): Probe["auth"] {
  return { state: "unknown", how };
}

async function askVersion(tools: ProbeTools): Promise<{ version: string } | { problem: Problem }> {
  const { stdout, stderr, failed, timedOut } = await tools.run(["--version"], { timeoutMs: 10_000 });
  const [version] = /(?<!\d)\d+\.\d+\.\d+[\w.-]*/.exec(`${stdout}\n${stderr}`) ?? [];
  if (version && !failed) return { version };
  const why = failed ?? (timedOut ? "it did not respond in time" : firstLine(stderr || stdout) || "no output");
  return { problem: { code: "broken", message: `${tools.bin} does not run as Droid: ${why}`, fix: INSTALL } };
}

/** Opens no session, so that none is left behind. */
async function askModels(tools: ProbeTools) {
  const args = ["exec", "--input-format", CHANNEL, "--output-format", CHANNEL];
  const { msg } = request(ASK, "droid.list_models", {});
  const ran = await tools.converse(args, [msg], (lines) => lines.some(isAnswer), { timeoutMs: 15_000 });
  const answer = ran.lines.find(isAnswer);
  return { models: answer === undefined ? undefined : readModels(fields(fields(answer).result).models), ran };
}

const ASK = "probe";

function isAnswer(line: unknown): boolean {
  const { type, id, result } = fields(line);
  return type === "response" && id === ASK && result !== undefined;
}
