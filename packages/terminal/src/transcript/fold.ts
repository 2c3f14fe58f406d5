import type { Envelope, Gap, LiveFrame, Snapshot, Task } from "@gantry/protocol";
import { formatDuration } from "../text/figures.ts";
import { homePath, shortId } from "../text/names.ts";
import { stripControls } from "../text/width.ts";
import { AgentText } from "./agent-text.ts";
import { conditionEntries, PlanLines } from "./conditions.ts";
import { type Entry, type Frame, note, textRows } from "./entry.ts";
import { renderInput, resolvedLine } from "./input.ts";
import { UserMessages } from "./messages.ts";
import { outcomeLines } from "./outcome.ts";
import { TaskLines } from "./task.ts";
import { ToolCalls } from "./tools.ts";

export type FoldOptions = {
  /** For pipes: messages are returned line by line. */
  plain: boolean;
  /** Returns a request only when it is resolved: the caller shows pending ones itself. */
  pendingElsewhere?: boolean;
  /** Shows briefs instead of the user's prompt. */
  full?: boolean;
  /** For a client that attaches during a turn: the start of the turn, and the session's folder. */
  turnStartedAt?: string;
  cwd?: string;
  /** The background tasks at that time. */
  tasks?: readonly Task[];
};

const LIVE_OUTPUT_ROWS = 8;

/**
 * Folds the events of one session, in order, to entries; each is returned once, when nothing can change it. The open rest is
 * in `openRows`. Pure: the caller has the clock, the terminal and the network.
 */
export class TranscriptFold {
  private readonly options: FoldOptions;
  private readonly messages = new UserMessages();
  private readonly text: AgentText;
  private readonly tools = new ToolCalls();
  private readonly inputs = new Map<string, Entry>();
  private readonly plan = new PlanLines();
  private readonly tasks: TaskLines;
  private cwd: string | undefined;
  private turnStartedAt: string | undefined;
  private activity = "";
  private reasoning = "";

  constructor(options: FoldOptions) {
    this.options = options;
    this.text = new AgentText(options.plain);
    this.tasks = new TaskLines(options.tasks);
    this.turnStartedAt = options.turnStartedAt;
    this.cwd = options.cwd;
  }

  event(event: Envelope): Entry[] {
    switch (event.type) {
      case "session.created":
        this.cwd = event.data.cwd;
        return [headerEntry(event)];
      case "message.user":
        this.messages.add(event.data);
        return [];
      case "message.delivery":
        return this.messages.deliver(event.data, this.turnStartedAt !== undefined);
      case "turn.started":
        this.turnStartedAt = event.at;
        return event.data.messages.flatMap((message) => this.messages.show(message));
      case "turn.ended":
        return this.turnEnded(event);
      case "message.done":
        return this.text.finish(event.data.item, event.data.text, event.data.parent !== undefined);
      case "message.retracted":
        return this.text.retract(event.data.items) ? [note("(the agent withdrew the message above)", "info")] : [];
      case "reasoning.done":
        this.reasoning = "";
        return [reasoningEntry(event.data.text)];
      case "tool.started":
        this.tools.start(event.data);
        return [];
      case "tool.updated":
        this.tools.update(event.data);
        return [];
      case "tool.ended":
        return this.tools.end(event.data, this.cwd);
      default:
        return this.other(event);
    }
  }

  /** A live frame; returns the parts of the open message that are now complete. */
  live(frame: LiveFrame | Snapshot | Gap): Entry[] {
    switch (frame.type) {
      case "gap":
        return [note(`events ${frame.from} to ${frame.to} are no longer available`, "warning")];
      case "snapshot":
        return frame.open.flatMap((open) => {
          if (open.channel === "output") this.tools.restore(open);
          return this.text.restore(open);
        });
      case "delta":
        if (frame.channel === "text") return this.text.add(frame);
        if (frame.channel === "output") this.tools.stream(frame);
        if (frame.channel === "reasoning") this.reasoning = (this.reasoning + frame.text).slice(-2000);
        return [];
      case "retry": {
        const attempt = frame.attempt ? ` (attempt ${frame.attempt}${frame.max ? ` of ${frame.max}` : ""})` : "";
        this.activity = `retrying${attempt}: ${frame.reason}`;
        return [];
      }
      case "activity":
        this.activity = frame.detail ? `${frame.state}: ${frame.detail}` : frame.state;
        return [];
      default:
        return [];
    }
  }

  /** What is still open, as rows: the unfinished part of the message and the output of running commands. */
  openRows(frame: Frame): string[] {
    const tools = this.options.plain ? [] : this.tools.liveRows(frame, this.cwd, LIVE_OUTPUT_ROWS);
    const text = this.text.openRows(frame);
    const thought = text.length === 0 && tools.length === 0 ? this.thoughtRows(frame) : [];
    return text.length > 0 && tools.length > 0 ? [...text, "", ...tools] : [...text, ...tools, ...thought];
  }

  /** One row for each message that the agent has not read during its turn. */
  pendingRows(frame: Frame): string[] {
    return this.messages.pending(frame.paint);
  }

  get isRunning(): boolean {
    return this.turnStartedAt !== undefined;
  }

  /** The current activity for the status line; between turns the background tasks. */
  status(frame: Frame, now: number): string {
    if (!this.turnStartedAt) return this.tasks.status(frame.paint, now);
    const doing = this.tools.title(frame, this.cwd) || stripControls(this.activity);
    const elapsed = frame.paint.dim(formatDuration(Math.max(0, now - Date.parse(this.turnStartedAt))));
    return `${doing || "working"} ${elapsed}`;
  }

  /** The end of the reasoning that streams, on a terminal. */
  private thoughtRows(frame: Frame): string[] {
    if (this.options.plain || this.reasoning.trim() === "") return [];
    const rows = textRows(stripControls(this.reasoning).trim(), frame).slice(-2);
    return rows.map((row) => frame.paint.dim(frame.paint.italic(row)));
  }

  private turnEnded(event: Envelope<"turn.ended">): Entry[] {
    const started = this.turnStartedAt;
    this.turnStartedAt = undefined;
    this.activity = "";
    this.reasoning = "";
    const elapsed = started ? Date.parse(event.at) - Date.parse(started) : undefined;
    const rows: Entry["rows"] = (frame) =>
      outcomeLines(event.data, frame.paint, elapsed).flatMap((line) => textRows(line, frame));
    return [{ kind: "outcome", rows }];
  }

  private other(event: Envelope): Entry[] {
    switch (event.type) {
      case "input.requested": {
        const input = event.data;
        const { cwd } = this;
        const entry: Entry = { kind: "input", rows: (frame) => renderInput(input, frame, cwd) };
        this.inputs.set(input.id, entry);
        if (input.item && input.diff?.some((change) => change.diff)) this.tools.noteDiff(input.item);
        return this.options.pendingElsewhere ? [] : [entry];
      }
      case "input.resolved": {
        const { data } = event;
        const request = this.inputs.get(data.id);
        if (!request) return [];
        this.inputs.delete(data.id);
        const rows: Entry["rows"] = ({ paint }) => [`  ${resolvedLine(data, paint)}`];
        const answer: Entry = { kind: "input", joined: true, rows };
        return this.options.pendingElsewhere ? [request, answer] : [answer];
      }
      case "plan.updated":
        return this.plan.update(event.data.entries);
      case "task.started":
      case "task.updated":
      case "task.ended":
        return this.tasks.event(event);
      case "handoff.started":
        return this.handoff(event.data);
      case "handoff.ended":
        return handoffEnd(event.data);
      default:
        return conditionEntries(event);
    }
  }

  private handoff({ from, to, strategy, brief, message, prompt, by }: Envelope<"handoff.started">["data"]): Entry[] {
    if (message && brief && !this.options.full) this.messages.hideBrief(message, prompt ?? "");
    const lines = brief ? ` · a brief of ${brief.split("\n").length} lines` : "";
    const facts = `· handed off by ${strategy}${lines}${by ? " · by its lead" : ""}`;
    const rows: Entry["rows"] = (frame) =>
      textRows(`${frame.paint.bold(`${from} → ${to}`)} ${frame.paint.dim(facts)}`, frame);
    return [{ kind: "header", rows }];
  }
}

function headerEntry({ data, session }: Envelope<"session.created">): Entry {
  const { agent, model, mode, cwd, title } = data;
  const facts = [model, `mode ${mode}`, homePath(cwd)].filter((fact) => fact !== undefined).join(" · ");
  const name = title && title !== agent ? `  ${stripControls(title)}` : "";
  const rows: Entry["rows"] = (frame) => {
    const { paint } = frame;
    const line = `${paint.bold(agent)} ${paint.dim(`· ${facts} · ${shortId(session)}`)}${name && paint.dim(name)}`;
    return textRows(line, frame);
  };
  return { kind: "header", rows };
}

function reasoningEntry(raw: string): Entry {
  const text = stripControls(raw).trim();
  const rows: Entry["rows"] = (frame) => {
    if (!frame.full || text === "") return [];
    return textRows(text, frame).map((row) => frame.paint.dim(frame.paint.italic(row)));
  };
  return { kind: "note", rows };
}

function handoffEnd({ from, to, outcome, reason }: Envelope<"handoff.ended">["data"]): Entry[] {
  if (outcome === "completed") return [note(`${to} has taken over`, "info")];
  return [note(`the handoff to ${to} ${outcome}${reason ? `: ${reason}` : ""}; back with ${from}`, "warning")];
}
