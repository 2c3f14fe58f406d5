import type { Model, Problem } from "@gantry/protocol";
import type { Probe, ProbeTools } from "../contract.ts";
import { readModels } from "../json-lines/pi-rpc/models.ts";
import { fields, firstLine } from "../json-lines/reading/fields.ts";

export const INSTALL = "npm install -g @earendil-works/pi-coding-agent";
const LOGIN = "Run `pi` and use /login, set a provider's API key, or name a provider in ~/.pi/agent/models.json.";

/** Asks the installed Pi for its version and, in a conversation that is not kept, for the models that it has keys for. */
export async function probe(tools: ProbeTools): Promise<Probe> {
  const [version, { models, refused }] = await Promise.all([askVersion(tools), askModels(tools)]);
  if ("problem" in version) return { auth: unknown, problems: [version.problem], ok: false };
  if (refused) return { ...version, auth: unknown, problems: [noRpc], ok: true, channel: "json" };
  if (models === undefined) return { ...version, auth: unknown, problems: [noAnswer], ok: true };
  if (models.length === 0) return { ...version, auth: { state: "missing", how: HOW }, problems: [noKeys], ok: true };
  return { ...version, auth: { state: "ok", how: HOW }, models, problems: [], ok: true };
}

const HOW = "pi lists only models that it has credentials for";
const unknown: Probe["auth"] = { state: "unknown", how: "pi did not answer" };

const noAnswer: Problem = {
  code: "no_models",
  message: "Pi did not name its models in time.",
  fix: "Run `pi --list-models` by hand to see what keeps it busy.",
};

const noRpc: Problem = {
  code: "no_rpc",
  message: "This version of Pi has no working RPC mode: nobody can be asked and nothing steered, one process a turn.",
  fix: `Update it: \`${INSTALL}\`.`,
};

const noKeys: Problem = { code: "not_logged_in", message: "Pi has no model that it has credentials for.", fix: LOGIN };

async function askVersion(tools: ProbeTools): Promise<{ version: string } | { problem: Problem }> {
  const { stdout, stderr, failed, timedOut } = await tools.run(["--version"], { timeoutMs: 10_000 });
  const [version] = /^\d+\.\d+\.\d+\S*/m.exec(`${stdout}\n${stderr}`) ?? [];
  if (version) return { version };
  const why = failed ?? (timedOut ? "it did not answer in time" : firstLine(stderr || stdout) || "it said nothing");
  return { problem: { code: "broken", message: `${tools.bin} does not run as Pi: ${why}`, fix: INSTALL } };
}

/** Without models when it did not answer: nobody knows then. It may even have refused to be talked with. */
async function askModels(tools: ProbeTools): Promise<{ models?: Model[]; refused?: boolean }> {
  const frames = [{ id: "probe", type: "get_available_models" }];
  const args = ["--mode", "rpc", "--no-session"];
  const { lines, code } = await tools.converse(args, frames, (all) => all.some(isAnswer), { timeoutMs: 15_000 });
  const answer = lines.find(isAnswer);
  return answer === undefined ? { refused: !!code } : { models: readModels(fields(fields(answer).data).models) };
}

function isAnswer(line: unknown): boolean {
  const { type, command, success } = fields(line);
  return type === "response" && command === "get_available_models" && success === true;
}
