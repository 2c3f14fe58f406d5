import type { Probe, ProbeTools } from "../contract.ts";
import { fields, firstLine, nonBlank } from "../fields.ts";
import { readModels } from "../json-lines/pi-rpc/models.ts";

const LOGIN = "Run `gantry auth login`, set a provider's API key, or configure a provider in models.yml.";
const TIMEOUT_MS = 30_000;

/** Probes the version (first line) and, in an unsaved conversation, the models. */
export async function probe(tools: ProbeTools): Promise<Probe> {
  const frames = [{ id: "probe", type: "get_available_models" }];
  const args = ["--mode", "rpc", "--no-session"];
  const ran = await tools.converse(args, frames, (all) => all.some(isAnswer), { timeoutMs: TIMEOUT_MS });
  const answer = ran.lines.find(isAnswer);
  const version = nonBlank(fields(ran.lines.find((line) => fields(line).type === "ready")).version);
  const how = "it lists only models with credentials";
  if (answer === undefined) {
    const why = ran.failed ?? (ran.timedOut ? "it did not respond in time" : firstLine(ran.stderr) || "no output");
    const problem = {
      code: "broken",
      message: `Gantry's agent does not run: ${why}`,
      fix: "Run `gantry agent -p hello`.",
    };
    return { version, auth: { state: "unknown", how: "it did not respond" }, problems: [problem], ok: false };
  }
  const models = readModels(fields(fields(answer).data).models);
  if (models.length > 0) return { version, auth: { state: "ok", how }, models, problems: [], ok: true };
  const message = "Gantry's agent has no credentials for any model.";
  return {
    version,
    auth: { state: "missing", how },
    problems: [{ code: "not_logged_in", message, fix: LOGIN }],
    ok: true,
  };
}

function isAnswer(line: unknown): boolean {
  const { type, command, success } = fields(line);
  return type === "response" && command === "get_available_models" && success === true;
}
