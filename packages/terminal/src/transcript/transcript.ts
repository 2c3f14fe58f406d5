import { type Envelope, type Gap, type LiveFrame, limitTitle, type Snapshot, type Task } from "@gantry/protocol";
import { MarkdownLines } from "../render/markdown.ts";
import { formatDuration, formatTokens } from "../text/figures.ts";
import { firstLine, homePath, shortId } from "../text/names.ts";
import type { Paint } from "../text/paint.ts";
import { stripControls, wrapText } from "../text/width.ts";
import { renderInput, resolvedLine } from "./input.ts";
import { outcomeLines } from "./outcome.ts";
import { StreamedText } from "./streamed-text.ts";
import { TaskLines } from "./task.ts";
import { type ToolStart, toolLines, toolTitle } from "./tool.ts";

export type TranscriptOptions = {
  paint: Paint;
  /** Wraps rows at this width. Absent in a pipe, where lines stay whole. */
  width?: () => number;
  /** Shows outputs and diffs in full, and reasoning. */
  full?: boolean;
  /** For a client that attaches during a turn: the start of the turn, and the session's folder. */
  turnStartedAt?: string;
  cwd?: string;
  /** The background tasks at that time. */
  tasks?: readonly Task[];
};

type PlanEntry = Envelope<"plan.updated">["data"]["entries"][number];
type Block = "header" | "user" | "text" | "tool" | "tool-body" | "input" | "note" | "outcome";

/**
 * Converts the events of one session, in order, to lines. Pure: the caller has the clock, the terminal and the network.
 * Events without meaning for a reader give no lines.
 */
export class Transcript {
  private readonly options: TranscriptOptions;
  private readonly streamed = new StreamedText();
  private readonly tools = new Map<string, ToolStart>();
  /** User messages that the agent has not received yet. */
  private readonly undelivered = new Map<string, string>();
  /** Messages that carry a brief, with the user's prompt. */
  private readonly briefs = new Map<string, string>();
  private readonly queued = new Set<string>();
  /** Messages that were sent into the running turn and that the agent has not read. */
  private readonly steers = new Set<string>();
  private readonly inputs = new Set<string>();
  /** Tool calls whose changes were shown with the question about them. */
  private readonly diffsShown = new Set<string>();
  private readonly markdown: MarkdownLines;
  private readonly tasks: TaskLines;
  private last: Block | undefined;
  private lastMessage: string | undefined;
  private cwd: string | undefined;
  private turnStartedAt: string | undefined;
  private activity = "";
  private plan = "";

  constructor(options: TranscriptOptions) {
    this.options = options;
    this.markdown = new MarkdownLines({ paint: options.paint });
    this.tasks = new TaskLines(options.paint, options.tasks);
    this.turnStartedAt = options.turnStartedAt;
    this.cwd = options.cwd;
  }

  event(event: Envelope): string[] {
    switch (event.type) {
      case "session.created":
        return this.header(event);
      case "message.user":
        this.undelivered.set(event.data.message, this.briefs.get(event.data.message) ?? event.data.text);
        return [];
      case "message.delivery":
        return this.delivery(event.data);
      case "turn.started":
        this.turnStartedAt = event.at;
        return event.data.messages.flatMap((message) => this.showUserMessage(message));
      case "message.done":
        return this.messageDone(event.data.item, event.data.text, event.data.parent);
      case "message.retracted":
        return this.renderRetraction(event.data.items);
      case "reasoning.done":
        return this.renderReasoning(event);
      case "tool.started":
        this.tools.set(event.data.item, event.data);
        return [];
      case "tool.updated":
        return this.toolUpdated(event);
      case "tool.ended":
        return this.toolEnded(event);
      case "turn.ended":
        return this.turnEnded(event);
      default:
        return this.condition(event);
    }
  }

  /** A live frame; returns the lines of the open message that are now complete. */
  live(frame: LiveFrame | Snapshot | Gap): string[] {
    if (frame.type === "gap")
      return this.note(`events ${frame.from} to ${frame.to} are no longer available`, "warning");
    if (frame.type === "snapshot")
      return frame.open.flatMap((open) => this.textLines(open.item, this.streamed.restore(open)));
    if (frame.type === "delta")
      return frame.channel === "text" ? this.textLines(frame.item, this.streamed.add(frame)) : [];
    if (frame.type === "retry") {
      const attempt = frame.attempt ? ` (attempt ${frame.attempt}${frame.max ? ` of ${frame.max}` : ""})` : "";
      this.activity = `retrying${attempt}: ${frame.reason}`;
      return [];
    }
    if (frame.type === "activity") this.activity = frame.detail ? `${frame.state}: ${frame.detail}` : frame.state;
    return [];
  }

  /** The unfinished line of the open message, as rows. */
  get partial(): string[] {
    const text = stripControls(this.streamed.partial);
    return text === "" ? [] : this.rows(text);
  }

  /** One row for each message that the agent has not read during its turn. */
  get pending(): string[] {
    const texts = [...this.steers].map((message) => firstLine(stripControls(this.undelivered.get(message) ?? "")));
    return texts.map((text) => `${this.options.paint.cyan("↳")} ${this.options.paint.dim("not read yet:")} ${text}`);
  }

  /** The current activity for the status line; between turns the background tasks. */
  status(now: number): string {
    if (!this.turnStartedAt) return this.tasks.status(now);
    const tools = [...this.tools.values()];
    const newest = tools.at(-1);
    const more = tools.length > 1 ? ` (+${tools.length - 1} more)` : "";
    const doing = newest
      ? `${toolTitle(newest, { ...this.options, cwd: this.cwd })}${more}`
      : stripControls(this.activity);
    const elapsed = this.options.paint.dim(formatDuration(Math.max(0, now - Date.parse(this.turnStartedAt))));
    return `${doing || "working"} ${elapsed}`;
  }

  private header(event: Envelope<"session.created">): string[] {
    const { agent, model, mode, cwd, title } = event.data;
    const { paint } = this.options;
    this.cwd = cwd;
    const facts = [model, `mode ${mode}`, homePath(cwd)].filter((fact) => fact !== undefined).join(" · ");
    const name = title && title !== agent ? `  ${stripControls(title)}` : "";
    return this.block("header", [
      `${paint.bold(agent)} ${paint.dim(`· ${facts} · ${shortId(event.session)}`)}${name && paint.dim(name)}`,
    ]);
  }

  /** Shows a user message when the agent receives it, so that the order is right. */
  private delivery({ message, state, text, reason }: Envelope<"message.delivery">["data"]): string[] {
    const stored = this.undelivered.get(message);
    if (stored === undefined) return [];
    const isSteer = this.steers.has(message);
    if (state !== "edited") this.steers.delete(message);
    switch (state) {
      case "sent":
        if (!this.turnStartedAt) return this.showUserMessage(message);
        this.steers.add(message);
        return [];
      case "queued":
        if (this.queued.has(message)) return [];
        this.queued.add(message);
        return this.note(`queued: ${firstLine(stored)}`, "info");
      case "edited":
        this.undelivered.set(message, text ?? stored);
        return [];
      case "cancelled":
        this.undelivered.delete(message);
        return this.note(`${isSteer ? "taken back" : "cancelled"}: ${firstLine(stored)}`, "info");
      case "failed":
        this.undelivered.delete(message);
        return this.note(`not delivered${reason ? ` (${reason})` : ""}: ${firstLine(stored)}`, "error");
      default:
        return this.showUserMessage(message);
    }
  }

  private showUserMessage(message: string): string[] {
    const text = this.undelivered.get(message);
    this.undelivered.delete(message);
    this.steers.delete(message);
    return text === undefined || text === "" ? [] : this.block("user", this.userLines(text));
  }

  private userLines(text: string): string[] {
    const { paint } = this.options;
    return this.rows(stripControls(text).trimEnd()).map(
      (row, index) => `${index === 0 ? paint.cyan("›") : " "} ${paint.bold(row)}`,
    );
  }

  private messageDone(item: string, text: string, parent: string | undefined): string[] {
    const { lines, again } = this.streamed.finish(item, text.trimEnd());
    const notice = again ? ["(the agent changed the message above; in full:)"] : [];
    const shown = this.textLines(item, [...notice, ...lines], parent !== undefined);
    this.markdown.reset();
    return shown;
  }

  private renderRetraction(items: string[]): string[] {
    const open = this.streamed.openItem;
    if (!open || !items.includes(open) || !this.streamed.begun) return [];
    this.streamed.drop();
    return this.block("note", [this.options.paint.dim("(the agent withdrew the message above)")]);
  }

  private renderReasoning(event: Envelope<"reasoning.done">): string[] {
    const { paint, full } = this.options;
    const text = stripControls(event.data.text).trim();
    if (!full || text === "") return [];
    return this.block(
      "note",
      this.rows(text).map((row) => paint.dim(paint.italic(row))),
    );
  }

  private toolUpdated(event: Envelope<"tool.updated">): string[] {
    const tool = this.tools.get(event.data.item);
    const { title, input, locations } = event.data.patch;
    if (tool) {
      this.tools.set(event.data.item, {
        ...tool,
        title: title ?? tool.title,
        input: input ?? tool.input,
        locations: locations ?? tool.locations,
      });
    }
    return [];
  }

  private toolEnded(event: Envelope<"tool.ended">): string[] {
    const tool = this.tools.get(event.data.item);
    this.tools.delete(event.data.item);
    if (!tool) return [];
    const brief = this.diffsShown.delete(event.data.item) && !this.options.full;
    const lines = toolLines(tool, event.data, { ...this.options, cwd: this.cwd, brief });
    const indented = tool.parent ? lines.map((line) => `  ${line}`) : lines;
    return this.block(lines.length > 1 ? "tool-body" : "tool", indented);
  }

  private turnEnded(event: Envelope<"turn.ended">): string[] {
    const started = this.turnStartedAt;
    this.turnStartedAt = undefined;
    this.activity = "";
    const elapsed = started ? Date.parse(event.at) - Date.parse(started) : undefined;
    return this.block("outcome", outcomeLines(event.data, this.options.paint, elapsed));
  }

  /** Events other than messages, reasoning and tool calls. */
  private condition(event: Envelope): string[] {
    const { paint } = this.options;
    switch (event.type) {
      case "input.requested":
        this.inputs.add(event.data.id);
        if (event.data.item && event.data.diff?.some((change) => change.diff)) this.diffsShown.add(event.data.item);
        return this.block("input", renderInput(event.data, paint, this.cwd));
      case "input.resolved":
        if (!this.inputs.delete(event.data.id)) return [];
        return this.block("input", [`  ${resolvedLine(event.data, paint)}`], true);
      case "plan.updated":
        return this.block("note", this.planLines(event.data.entries));
      case "task.started":
      case "task.updated":
      case "task.ended":
        return this.block("tool", this.tasks.event(event));
      case "subagent.started":
        return this.block("tool", [`${paint.cyan("⑂")} ${stripControls(event.data.title)}`]);
      case "notice":
        return event.data.severity === "info" && !this.options.full
          ? []
          : this.note(event.data.text, event.data.severity);
      case "error":
        return this.note(`${event.data.message} (${event.data.category})`, "error");
      default:
        return this.sideNote(event);
    }
  }

  private sideNote(event: Envelope): string[] {
    switch (event.type) {
      case "context.compacted": {
        const { before, after } = event.data;
        const figures = before && after ? ` from ${formatTokens(before)} to ${formatTokens(after)}` : "";
        return this.note(`the conversation was compacted${figures}`, "info");
      }
      case "model.changed":
        return this.note(`model is now ${event.data.to}${event.data.reason ? `: ${event.data.reason}` : ""}`, "info");
      case "mode.changed":
        return this.note(`mode is now ${event.data.to}${event.data.reason ? `: ${event.data.reason}` : ""}`, "info");
      case "handoff.started":
        return this.handoff(event.data);
      case "handoff.ended":
        return this.handoffEnded(event.data);
      case "limit.reached":
        return this.note(limitText(event.data), "warning");
      case "limit.cleared":
        return this.note("the limit has ended", "info");
      case "health.stalled":
        return this.note(`no sign of work: ${event.data.reason}`, "warning");
      case "health.recovered":
        return this.note("working again", "info");
      case "process.released":
        return this.options.full || event.data.reason === "crashed" ? this.note(event.data.text, "info") : [];
      case "session.ended":
        return this.note(`the session has ended: ${event.data.detail ?? event.data.reason}`, "info");
      case "raw":
        return this.options.full ? this.note("a frame of an unknown type was stored unchanged", "info") : [];
      default:
        return [];
    }
  }

  /** Unless `full`, shows the user's prompt instead of the brief. */
  private handoff({ from, to, strategy, brief, message, prompt, by }: Envelope<"handoff.started">["data"]): string[] {
    const { paint, full } = this.options;
    if (message && brief && !full) this.briefs.set(message, prompt ?? "");
    const lines = brief ? ` · a brief of ${brief.split("\n").length} lines` : "";
    const lead = by ? " · by its lead" : "";
    return this.block("header", [
      `${paint.bold(`${from} → ${to}`)} ${paint.dim(`· handed off by ${strategy}${lines}${lead}`)}`,
    ]);
  }

  private handoffEnded({ from, to, outcome, reason }: Envelope<"handoff.ended">["data"]): string[] {
    if (outcome === "completed") return this.note(`${to} has taken over`, "info");
    return this.note(`the handoff to ${to} ${outcome}${reason ? `: ${reason}` : ""}; back with ${from}`, "warning");
  }

  /** The whole plan when it is new; afterwards only the step that is now being worked on. */
  private planLines(entries: PlanEntry[]): string[] {
    const { paint } = this.options;
    const steps = entries.map((entry) => entry.text).join("\n");
    if (steps !== this.plan) {
      this.plan = steps;
      return entries.map((entry) => planLine(entry, paint));
    }
    const done = entries.filter((entry) => entry.status === "completed").length;
    const current = entries.find((entry) => entry.status === "in_progress") ?? entries.at(-1);
    return current ? [`${planLine(current, paint)} ${paint.dim(`${done}/${entries.length}`)}`] : [];
  }

  private note(text: string, severity: "info" | "warning" | "error"): string[] {
    const { paint } = this.options;
    const style = { info: paint.dim, warning: paint.yellow, error: paint.red }[severity];
    return this.block(
      "note",
      this.rows(stripControls(text)).map((row) => style(row)),
    );
  }

  private textLines(item: string, lines: string[], nested = false): string[] {
    if (lines.length === 0) return [];
    const continues = this.last === "text" && this.lastMessage === item;
    this.lastMessage = item;
    const styled = lines.flatMap((line) =>
      this.markdown.render(stripControls(line.replace(/\r$/, "")), this.rowWidth()),
    );
    return this.block("text", nested ? styled.map((line) => `  ${line}`) : styled, continues);
  }

  private rows(text: string): string[] {
    const width = this.rowWidth();
    return width === undefined ? text.split("\n") : wrapText(text, width);
  }

  private rowWidth(): number | undefined {
    const width = this.options.width?.();
    return width ? Math.max(20, width - 2) : undefined;
  }

  /** Puts a blank line between blocks of different kinds, or none with `joined`. */
  private block(kind: Block, lines: string[], joined = false): string[] {
    if (lines.length === 0) return [];
    const apart = this.last !== undefined && !joined && !(kind === "tool" && this.last === "tool");
    this.last = kind;
    const rows = kind === "header" || kind === "outcome" ? lines.flatMap((line) => this.rows(line)) : lines;
    return apart ? ["", ...rows] : rows;
  }
}

function planLine({ status, text }: PlanEntry, paint: Paint): string {
  if (status === "completed") return `${paint.green("☑")} ${paint.dim(stripControls(text))}`;
  if (status === "in_progress") return `${paint.yellow("◐")} ${paint.bold(stripControls(text))}`;
  return `${paint.dim("☐")} ${stripControls(text)}`;
}

function limitText({ provider, text, ...limit }: Envelope<"limit.reached">["data"]): string {
  if (text) return text;
  return limitTitle({ provider, ...limit, autoResume: limit.autoResume ?? true });
}
