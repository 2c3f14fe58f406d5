import { type Envelope, limitTitle } from "@gantry/protocol";
import { formatTokens } from "../text/figures.ts";
import type { Paint } from "../text/paint.ts";
import { stripControls } from "../text/width.ts";
import { type Entry, fitRows, note, textRows } from "./entry.ts";

type PlanEntry = Envelope<"plan.updated">["data"]["entries"][number];

/** Entries of events about the state of the session. They need no state themselves. */
export function conditionEntries(event: Envelope): Entry[] {
  switch (event.type) {
    case "notice":
      return [infoUnless(event.data.severity !== "info", event.data.text, event.data.severity)];
    case "error":
      return [errorEntry(event.data)];
    case "subagent.started":
      return [subagentEntry(event.data)];
    case "subagent.ended":
      return subagentEnd(event.data);
    case "context.compacted": {
      const { before, after } = event.data;
      const figures = before && after ? ` from ${formatTokens(before)} to ${formatTokens(after)}` : "";
      return [note(`the conversation was compacted${figures}`, "info")];
    }
    case "model.changed":
    case "mode.changed": {
      const name = event.type === "model.changed" ? "model" : "mode";
      const reason = event.data.reason ? `: ${stripControls(event.data.reason)}` : "";
      return [note(`${name} is now ${event.data.to}${reason}`, "info")];
    }
    case "limit.reached":
      return [note(limitText(event.data), "warning")];
    case "limit.cleared":
      return [note("the limit has ended", "info")];
    case "health.stalled":
      return [note(`no sign of work: ${event.data.reason}`, "warning")];
    case "health.recovered":
      return [note("working again", "info")];
    case "process.released":
      return [infoUnless(event.data.reason === "crashed", event.data.text, "info")];
    case "session.ended":
      return [note(`the session has ended: ${event.data.detail ?? event.data.reason}`, "info")];
    case "raw":
      return [infoUnless(false, "a frame of an unknown type was stored unchanged", "info")];
    default:
      return [];
  }
}

/** A note that is shown only in full, unless `always`. */
function infoUnless(always: boolean, text: string, severity: "info" | "warning" | "error"): Entry {
  const shown = note(stripControls(text), severity);
  return { ...shown, rows: (frame) => (always || frame.full ? shown.rows(frame) : []) };
}

function errorEntry({ message, category, remedy }: Envelope<"error">["data"]): Entry {
  return {
    kind: "note",
    rows: (frame) => [
      ...textRows(`${stripControls(message)} (${category})`, frame).map((row) => frame.paint.red(row)),
      ...textRows(stripControls(remedy), frame).map((row) => frame.paint.dim(row)),
    ],
  };
}

function subagentEntry({ title, type }: Envelope<"subagent.started">["data"]): Entry {
  return {
    kind: "tool",
    rows: (frame) => {
      const kind = type && frame.width !== undefined ? frame.paint.dim(` ${stripControls(type)}`) : "";
      return fitRows([`${frame.paint.cyan("⑂")} ${stripControls(title)}${kind}`], frame);
    },
  };
}

/** In a pipe the text of the subagent is enough. */
function subagentEnd({ status, summary }: Envelope<"subagent.ended">["data"]): Entry[] {
  const rows: Entry["rows"] = (frame) => {
    const { paint, width } = frame;
    if (width === undefined || (status === "ok" && !summary)) return [];
    const sign = status === "ok" ? paint.green("✓") : paint.red("✗");
    const text = summary ? firstRows(summary) : status;
    return fitRows([`  ${sign} ${paint.dim(text)}`], frame);
  };
  return [{ kind: "tool", rows }];
}

function firstRows(text: string): string {
  const line = stripControls(text).trim().split("\n", 1)[0] ?? "";
  return line.length > 300 ? `${line.slice(0, 300)}…` : line;
}

/** The plan of the session: the whole plan when it is new, afterwards only the step that is now being worked on. */
export class PlanLines {
  private steps = "";

  update(entries: readonly PlanEntry[]): Entry[] {
    const steps = entries.map((entry) => entry.text).join("\n");
    const isNew = steps !== this.steps;
    this.steps = steps;
    const done = entries.filter((entry) => entry.status === "completed").length;
    const current = entries.find((entry) => entry.status === "in_progress") ?? entries.at(-1);
    const rows: Entry["rows"] = (frame) => {
      if (isNew)
        return fitRows(
          entries.map((entry) => planLine(entry, frame.paint)),
          frame,
        );
      const count = frame.paint.dim(`${done}/${entries.length}`);
      return current ? fitRows([`${planLine(current, frame.paint)} ${count}`], frame) : [];
    };
    return [{ kind: "note", rows }];
  }
}

export function planLine({ status, text }: PlanEntry, paint: Paint): string {
  if (status === "completed") return `${paint.green("☑")} ${paint.dim(stripControls(text))}`;
  if (status === "in_progress") return `${paint.yellow("◐")} ${paint.bold(stripControls(text))}`;
  return `${paint.dim("☐")} ${stripControls(text)}`;
}

function limitText({ provider, text, ...limit }: Envelope<"limit.reached">["data"]): string {
  if (text) return text;
  return limitTitle({ provider, ...limit, autoResume: limit.autoResume ?? true });
}
