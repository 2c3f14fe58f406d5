import type { Problem } from "@gantry/protocol";
import type { BriefResult, Probe, ProbeTools } from "../../contract.ts";
import { fields, firstLine } from "../../fields.ts";
import { type Fallback, fallbackProbe, lacksChannel } from "../../probing/fallback.ts";
import { readModels } from "./models.ts";

/** What the probe of a Pi-like agent needs. */
export type PiProbe = {
  /** The display name. */
  name: string;
  /** The install command. */
  install: string;
  /** How to provide credentials, as a sentence. */
  login: string;
  /** Start timeout, if longer than usual. */
  timeoutMs?: number;
};

const RPC: Fallback = { argument: "rpc", channel: "json", means: "one process per turn, without approvals" };

/** Probes the version and, in an unsaved conversation, the models with credentials. */
export function piProbe(probed: PiProbe): (tools: ProbeTools) => Promise<Probe> {
  const { name, install, login } = probed;
  const how = `${name} lists only models with credentials`;
  return async (tools) => {
    const [version, { ran, answer }] = await Promise.all([askVersion(tools, probed), askModels(tools, probed)]);
    if ("problem" in version) return { auth: noAuth(name), problems: [version.problem], ok: false };
    if (answer === undefined && (await lacksChannel(tools, RPC, ran))) {
      return { ...version, ...fallbackProbe({ main: "RPC mode", install }, RPC) };
    }
    if (answer === undefined) return { ...version, auth: noAuth(name), problems: [noAnswer(name)], ok: true };
    const models = readModels(fields(fields(answer).data).models);
    if (models.length > 0) return { ...version, auth: { state: "ok", how }, models, problems: [], ok: true };
    const message = `${name} has no credentials for any model.`;
    const problem: Problem = { code: "not_logged_in", message, fix: login };
    return { ...version, auth: { state: "missing", how }, problems: [problem], ok: true };
  };
}

function noAuth(name: string): Probe["auth"] {
  return { state: "unknown", how: `${name} did not respond` };
}

function noAnswer(name: string): Problem {
  const fix = "Start it in a terminal to see why it does not respond.";
  return { code: "no_models", message: `${name} did not list its models in time.`, fix };
}

type Version = { version: string } | { problem: Problem };

async function askVersion(tools: ProbeTools, { name, install, timeoutMs = 10_000 }: PiProbe): Promise<Version> {
  const { stdout, stderr, failed, timedOut } = await tools.run(["--version"], { timeoutMs });
  const [, version] = /^(?:\w+\/)?(\d+\.\d+\.\d+\S*)/m.exec(`${stdout}\n${stderr}`) ?? [];
  if (version) return { version };
  const why = failed ?? (timedOut ? "it did not respond in time" : firstLine(stderr || stdout) || "no output");
  return { problem: { code: "broken", message: `${tools.bin} does not run as ${name}: ${why}`, fix: install } };
}

async function askModels(
  tools: ProbeTools,
  { timeoutMs = 15_000 }: PiProbe,
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
