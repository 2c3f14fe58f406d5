import { type ControlValues, type Envelope, type EventData, formatControls } from "@gantry/protocol";
import { foldLimit, foldRefusal } from "./fold-limit.ts";
import type { NoteRow } from "./row.ts";
import type { RowTree } from "./row-tree.ts";

/** Folds events other than messages and work: inputs, handoffs, errors, stalls, limits and notes. */
export function foldStatus(tree: RowTree, event: Envelope): void {
  const key = `seq:${event.seq}`;
  const events = [event];
  switch (event.type) {
    case "input.requested":
    case "input.resolved":
      return foldInput(tree, event);
    case "handoff.started":
      return tree.append({ kind: "handoff", key, events, handoff: event.data });
    case "handoff.ended":
      return endHandoff(tree, event);
    case "context.compacted":
      return tree.append({ kind: "compacted", key, events, compacted: event.data });
    case "error":
      return foldError(tree, event);
    case "health.stalled":
      return tree.append({ kind: "stalled", key, events, stalled: event.data, ended: false });
    case "limit.reached":
      return foldLimit(tree, event);
    case "health.recovered":
    case "limit.cleared":
      return endStatus(tree, event);
    case "raw":
      return foldRaw(tree, event);
    default: {
      const note = noteOf(event);
      if (note) tree.append({ kind: "note", key, events, ...note });
    }
  }
}

/** An error with its own row is not repeated at the end of its turn. */
function foldError(tree: RowTree, event: Envelope<"error">): void {
  const { started, errors } = tree.turn(event.turn ?? "");
  errors.push(event.data.message);
  if (foldRefusal(tree, event, event.data)) return;
  const events = started ? [event, started] : [event];
  const messages = started?.data.messages ?? [];
  tree.append({ kind: "error", key: `seq:${event.seq}`, events, failure: event.data, messages });
}

function foldInput(tree: RowTree, event: Envelope<"input.requested" | "input.resolved">): void {
  const { id } = event.data;
  const key = `input:${id}`;
  if (event.type === "input.requested")
    return tree.append({ kind: "input", key, events: [event], id, request: event.data }, event.data.subagent);
  const row = tree.find("input", key);
  if (row) tree.replace({ ...row, events: [...row.events, event], resolution: event.data });
}

function endHandoff(tree: RowTree, event: Envelope<"handoff.ended">): void {
  const { outcome, ...handoff } = event.data;
  const last = tree.findLatest("handoff");
  if (last && last.outcome === undefined)
    return tree.replace({
      ...last,
      events: [...last.events, event],
      handoff: { ...last.handoff, ...handoff },
      outcome,
    });
  tree.append({ kind: "handoff", key: `seq:${event.seq}`, events: [event], handoff, outcome });
}

/** Marks the row of a stall or limit as ended. If the row is not in the window, a note is added. */
function endStatus(tree: RowTree, event: Envelope<"health.recovered" | "limit.cleared">): void {
  const row = tree.findLatest(event.type === "health.recovered" ? "stalled" : "limit");
  if (row && !row.ended) return tree.replace({ ...row, events: [...row.events, event], ended: true });
  const text = event.type === "health.recovered" ? "The agent recovered" : "The rate limit has ended";
  tree.append({ kind: "note", key: `seq:${event.seq}`, events: [event], tone: "plain", text });
}

/** Consecutive raw frames share a row. */
function foldRaw(tree: RowTree, event: Envelope<"raw">): void {
  const last = tree.get(tree.children().at(-1) ?? "");
  if (last?.kind === "raw") return tree.replace({ ...last, events: [...last.events, event] });
  tree.append({ kind: "raw", key: `seq:${event.seq}`, events: [event] });
}

type Note = Pick<NoteRow, "tone" | "text">;

function noteOf(event: Envelope): Note | undefined {
  switch (event.type) {
    case "session.created":
      return plainNote(`Session started in ${event.data.cwd}`);
    case "session.updated":
      return settingsNote(event.data.patch);
    case "session.ended":
      return plainNote(`Session ${event.data.reason}${event.data.detail ? `: ${event.data.detail}` : ""}`);
    case "model.changed":
      return plainNote(`Model changed to ${event.data.to}${reasonSuffix(event.data.reason)}`);
    case "mode.changed":
      return plainNote(`Mode changed to ${event.data.to}${reasonSuffix(event.data.reason)}`);
    case "process.released":
      return plainNote(event.data.text);
    case "notice":
      return { tone: event.data.severity === "info" ? "plain" : event.data.severity, text: event.data.text };
    default:
      return undefined;
  }
}

function settingsNote(patch: EventData<"session.updated">["patch"]): Note | undefined {
  const { title, model, mode, effort, controls, archived } = patch;
  const parts = [
    title !== undefined && `renamed to “${title}”`,
    model !== undefined && (model === null ? "model left to the agent" : `model set to ${model}`),
    mode !== undefined && `mode set to ${mode}`,
    controls !== undefined && controlsText(controls ?? {}),
    effort !== undefined && (effort === null ? "effort left to the agent" : `effort set to ${effort}`),
    archived !== undefined && (archived ? "archived" : "unarchived"),
  ].filter((part) => part !== false);
  if (parts.length === 0) return undefined;
  const text = parts.join(", ");
  return plainNote(text[0]?.toUpperCase() + text.slice(1));
}

function controlsText(controls: ControlValues): string {
  const text = formatControls(controls);
  return text ? `controls set to ${text}` : "controls left to the mode";
}

function reasonSuffix(reason: string | undefined): string {
  return reason ? `: ${reason}` : "";
}

function plainNote(text: string): Note {
  return { tone: "plain", text };
}
