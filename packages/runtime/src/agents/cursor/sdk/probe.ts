import type { Model } from "@gantry/protocol";
import type { Probe, ProbeTools } from "../../contract.ts";
import { compact, type Fields, fields, firstLine, list, nonBlank } from "../../fields.ts";
import { SDK } from "./decode.ts";
import { sdkFailure } from "./failures.ts";

const TIMEOUT_MS = 30_000;
const LOGIN = "Run `gantry login cursor`, or set CURSOR_API_KEY and restart the daemon.";

/** Loads the SDK in the worker and asks Cursor's service for the account and the models. */
export async function probe(tools: ProbeTools): Promise<Probe> {
  const ran = await tools.converse(["probe"], [], (lines) => lines.some(isFacts), { timeoutMs: TIMEOUT_MS });
  const found = ran.lines.find(isFacts);
  if (!found) {
    const why = ran.failed ?? (ran.timedOut ? "it did not respond in time" : firstLine(ran.stderr) || "no output");
    const problem = { code: "broken", message: `Cursor's SDK does not run: ${why}`, fix: "Reinstall @cursor/sdk." };
    return { auth: { state: "unknown", how: "it did not respond" }, problems: [problem], ok: false, channel: SDK };
  }
  return readFacts(fields(found));
}

function readFacts(facts: Fields): Probe {
  const version = nonBlank(facts.version);
  const login = nonBlank(facts.login);
  const base = { ...compact({ version }), ok: true, channel: SDK };
  if (!login) {
    const problem = { code: "not_logged_in", message: "Cursor's SDK has no API key.", fix: LOGIN };
    return { ...base, auth: { state: "missing", how: "no CURSOR_API_KEY and no login" }, problems: [problem] };
  }
  if (facts.error !== undefined) return { ...base, ...readError(facts.error, login) };
  const how = login === "login" ? "logged in with its SDK" : login;
  const account = nonBlank(facts.account);
  return { ...base, auth: compact({ state: "ok", how, account }), models: readModels(facts.models), problems: [] };
}

function readError(error: unknown, login: string): Pick<Probe, "auth" | "problems"> {
  const { category, message } = sdkFailure(error);
  if (category !== "auth") {
    const fix = "Check the network connection, then refresh.";
    const problem = { code: "service_unreachable", message: `Cursor's service did not answer: ${message}`, fix };
    return { auth: { state: "unknown", how: `${login}, not checked` }, problems: [problem] };
  }
  const problem = { code: "not_logged_in", message: `Cursor rejected its key: ${message}`, fix: LOGIN };
  return { auth: { state: "missing", how: `${login} was rejected` }, problems: [problem] };
}

/** The first model is what the worker uses for a session that names none, unless Cursor has an automatic one. */
function readModels(value: unknown): Model[] {
  const models = list(value).flatMap((entry) => {
    const { id, displayName } = fields(entry);
    const known = nonBlank(id);
    return known ? [{ id: known, name: nonBlank(displayName) ?? known, default: false, efforts: [] }] : [];
  });
  const automatic = models.find(({ id }) => id === "auto" || id === "default") ?? models[0];
  return models.map((model) => ({ ...model, default: model === automatic }));
}

function isFacts(line: unknown): boolean {
  return fields(line).type === "facts";
}
