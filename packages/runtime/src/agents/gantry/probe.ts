import type { Probe, ProbeTools } from "../contract.ts";
import { fields, firstLine, nonBlank } from "../fields.ts";
import { readModels } from "../json-lines/pi-rpc/models.ts";

const LOGIN = "Run `gantry auth login`, set a provider's API key, or name a provider in models.yml.";
const TIMEOUT_MS = 30_000;

/** Its first line tells the version, and in a conversation that is not kept it names the models it may ask. */
export async function probe(tools: ProbeTools): Promise<Probe> {
  const frames = [{ id: "probe", type: "get_available_models" }];
  const args = ["--mode", "rpc", "--no-session"];
  const ran = await tools.converse(args, frames, (all) => all.some(isAnswer), { timeoutMs: TIMEOUT_MS });
  const answer = ran.lines.find(isAnswer);
  const version = nonBlank(fields(ran.lines.find((line) => fields(line).type === "ready")).version);
  const how = "it lists the models that it has credentials for";
  if (answer === undefined) {
    const why = ran.failed ?? (ran.timedOut ? "it did not answer in time" : firstLine(ran.stderr) || "it said nothing");
    const problem = {
      code: "broken",
      message: `Gantry's agent does not run: ${why}`,
      fix: "Run `gantry agent -p hello`.",
    };
    return { version, auth: { state: "unknown", how: "it did not answer" }, problems: [problem], ok: false };
  }
  const models = readModels(fields(fields(answer).data).models);
  if (models.length > 0) return { version, auth: { state: "ok", how }, models, problems: [], ok: true };
  const message = "Gantry's agent has no model that it has credentials for.";
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
