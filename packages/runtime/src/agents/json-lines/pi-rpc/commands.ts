import { compact, type Fields, fields, list, nonBlank, ownValue, text, withoutKey } from "../../fields.ts";
import type { Pass } from "../pass.ts";
import { completeText, nextText } from "../texts.ts";
import { beginTurn, finishTurn } from "../turns.ts";
import { MODE_COMMAND } from "./gate/extension.ts";
import type { PiState } from "./state.ts";

/** Understood by `encode`. */
const COMPACT = { name: "compact", description: "Compact the conversation", hint: "[what to keep]" };
const MAX_LOCAL = 40;

/** Publishes the slash commands. Commands of extensions run without the model. */
export function publishCommands(pass: Pass<PiState>, value: unknown): void {
  const all = list(value)
    .map(fields)
    .filter(({ name }) => nonBlank(name) && name !== MODE_COMMAND);
  const found = all.map(({ name, description, input, argumentHint }) => {
    const hint = nonBlank(fields(input).hint) ?? nonBlank(argumentHint);
    return compact({ name: String(name), description: nonBlank(description), hint });
  });
  const local = all.flatMap(({ name, source }) => (source === "extension" ? [String(name)] : []));
  pass.state.local = local.slice(0, MAX_LOCAL);
  const known = found.some(({ name }) => name === COMPACT.name);
  pass.event("commands.changed", { list: known ? found : [...found, COMPACT] });
}

/** Whether a message is a command that runs without the model. */
export function isLocal({ local = [] }: PiState, message: string): boolean {
  const [, name] = /^\/(\S+)/.exec(message) ?? [];
  return name !== undefined && local.includes(name);
}

/** Publishes the output of a command that runs without the model, as the turn's only message. */
export function handleCommandOutput(pass: Pass<PiState>, line: Fields): void {
  const [id] = Object.entries(pass.state.sent).find(([, sent]) => sent.message && !sent.inline) ?? [];
  if (id !== undefined) pass.state.command = id;
  acceptPrompt(pass, id);
  completeText(pass, `command.${nextText(pass)}`, "text", text(line.text) ?? "");
}

/** Ends a turn whose prompt was handled without the model. */
export function finishLocalCommand(pass: Pass<PiState>, id: string | undefined): void {
  const { state } = pass;
  const waits = ownValue(state.sent, id)?.message !== undefined && state.turn !== "running";
  if (id === undefined || !(waits || state.command === id)) return;
  acceptPrompt(pass, id);
  Object.assign(state, { worked: true, command: undefined });
  finishTurn(pass, { outcome: "completed", reason: "command" });
}

function acceptPrompt(pass: Pass<PiState>, id: string | undefined): void {
  const { state } = pass;
  const sent = ownValue(state.sent, id);
  if (!sent || id === undefined) return;
  state.sent = withoutKey(state.sent, id);
  if (state.turn !== "running") state.message = sent.message;
  beginTurn(pass);
}
