import { compact, type Fields, fields, list, nonBlank, own, text, without } from "../../fields.ts";
import type { Pass } from "../talk.ts";
import { nextText, whole } from "../texts.ts";
import { begin, finish } from "../turns.ts";
import { MODE_COMMAND } from "./gate/extension.ts";
import type { PiState } from "./state.ts";

/** Understood by `encode`. */
const COMPACT = { name: "compact", description: "Compact the conversation", hint: "[what to keep]" };
const KEPT = 40;

/** The slash commands that there are. Those of extensions run without the model. */
export function commands(pass: Pass<PiState>, value: unknown): void {
  const all = list(value)
    .map(fields)
    .filter(({ name }) => nonBlank(name) && name !== MODE_COMMAND);
  const found = all.map(({ name, description, input }) =>
    compact({ name: String(name), description: nonBlank(description), hint: nonBlank(fields(input).hint) }),
  );
  const local = all.flatMap(({ name, source }) => (source === "extension" ? [String(name)] : []));
  pass.state.local = local.slice(0, KEPT);
  const known = found.some(({ name }) => name === COMPACT.name);
  pass.event("commands.changed", { list: known ? found : [...found, COMPACT] });
}

/** Does a message name a command that runs without the model? */
export function isLocal({ local = [] }: PiState, message: string): boolean {
  const [, name] = /^\/(\S+)/.exec(message) ?? [];
  return name !== undefined && local.includes(name);
}

/** What a command prints that runs without the model: there is nothing else to show for the turn. */
export function commandPrinted(pass: Pass<PiState>, said: Fields): void {
  const [id] = Object.entries(pass.state.sent).find(([, sent]) => sent.message && !sent.inline) ?? [];
  if (id !== undefined) pass.state.command = id;
  takeUp(pass, id);
  whole(pass, `command.${nextText(pass)}`, "text", text(said.text) ?? "");
}

/** The answer to a prompt, or a word after it, that says that no model was asked: the turn is over with it. */
export function handledLocally(pass: Pass<PiState>, id: string | undefined): void {
  const { state } = pass;
  const waits = own(state.sent, id)?.message !== undefined && state.turn !== "running";
  if (id === undefined || !(waits || state.command === id)) return;
  takeUp(pass, id);
  Object.assign(state, { worked: true, command: undefined });
  finish(pass, { outcome: "completed", reason: "command" });
}

function takeUp(pass: Pass<PiState>, id: string | undefined): void {
  const { state } = pass;
  const sent = own(state.sent, id);
  if (!sent || id === undefined) return;
  state.sent = without(state.sent, id);
  if (state.turn !== "running") state.message = sent.message;
  begin(pass);
}
