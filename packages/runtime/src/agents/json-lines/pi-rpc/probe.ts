import type { Problem } from "@gantry/protocol";
import type { BriefResult, Probe, ProbeTools } from "../../contract.ts";
import { fields, firstLine } from "../../fields.ts";
import { type Fallback, fallbackProbe, lacksChannel } from "../../finding/fallback.ts";
import { readModels } from "./models.ts";

/** What the probe of one of Pi's kind must know of it. */
export type Probed = {
  /** As people call it. */
  name: string;
  /** How it is installed or updated. */
  install: string;
  /** How it gets credentials, in a sentence. */
  login: string;
  /** How long it may take to start, where that is longer than usual. */
  timeoutMs?: number;
};

const RPC: Fallback = { argument: "rpc", channel: "json", means: "one process a turn, in which nobody can be asked" };

/** Asks for the version and, in a conversation that is not kept, for the models that there are credentials for. */
export function piProbe(probed: Probed): (tools: ProbeTools) => Promise<Probe> {
  const { name, install, login } = probed;
  const how = `${name} lists only models that it has credentials for`;
  return async (tools) => {
    const [version, { ran, answer }] = await Promise.all([askVersion(tools, probed), askModels(tools, probed)]);
    if ("problem" in version) return { auth: silent(name), problems: [version.problem], ok: false };
    if (answer === undefined && (await lacksChannel(tools, RPC, ran))) {
      return { ...version, ...fallbackProbe({ main: "RPC mode", install }, RPC) };
    }
    if (answer === undefined) return { ...version, auth: silent(name), problems: [noAnswer(name)], ok: true };
    const models = readModels(fields(fields(answer).data).models);
    if (models.length > 0) return { ...version, auth: { state: "ok", how }, models, problems: [], ok: true };
    const message = `${name} has no model that it has credentials for.`;
    const problem: Problem = { code: "not_logged_in", message, fix: login };
    return { ...version, auth: { state: "missing", how }, problems: [problem], ok: true };
  };
}

function silent(name: string): Probe["auth"] {
  return { state: "unknown", how: `${name} did not answer` };
}

function noAnswer(name: string): Problem {
  const fix = "Start it by hand to see what keeps it busy.";
  return { code: "no_models", message: `${name} did not name its models in time.`, fix };
}

type Version = { version: string } | { problem: Problem };

async function askVersion(tools: ProbeTools, { name, install, timeoutMs = 10_000 }: Probed): Promise<Version> {
  const { stdout, stderr, failed, timedOut } = await tools.run(["--version"], { timeoutMs });
  const [, version] = /^(?:\w+\/)?(\d+\.\d+\.\d+\S*)/m.exec(`${stdout}\n${stderr}`) ?? [];
  if (version) return { version };
  const why = failed ?? (timedOut ? "it did not answer in time" : firstLine(stderr || stdout) || "it said nothing");
  return { problem: { code: "broken", message: `${tools.bin} does not run as ${name}: ${why}`, fix: install } };
}

async function askModels(
  tools: ProbeTools,
  { timeoutMs = 15_000 }: Probed,
): Promise<{ ran: BriefResult; answer: unknown | undefined }> {
  const frames = [{ id: "probe", type: "get_available_models" }];
  const args = ["--mode", "rpc", "--no-session"];
  const { lines, ...ran } = await tools.converse(args, frames, (all) => all.some(isAnswer), { timeoutMs });
  return { ran, answer: lines.find(isAnswer) };
}

function isAnswer(line: unknown): boolean {
  const { type, command, success } = fields(line);
  return type === "response" && command === "get_available_models" && success === true;
}
