import type { Delta, Envelope, OpenItem } from "@gantry/protocol";
import { makePaint } from "../text/paint.ts";
import { stripControls } from "../text/width.ts";
import { type Entry, type Frame, fitRows } from "./entry.ts";
import { type ToolStart, toolLines, toolTitle } from "./tool.ts";

/** Only to count lines. */
const UNPAINTED = makePaint(false);
/** The most characters of a running command's output that are stored for its live rows. */
const LONGEST_TAIL = 20_000;

type Running = { start: ToolStart; output: string };

/** Tool calls: a running one is live, a finished one is an entry. */
export class ToolCalls {
  private readonly running = new Map<string, Running>();
  /** Tool calls whose changes were shown with the question about them. */
  private readonly diffsShown = new Set<string>();

  start(start: ToolStart): void {
    this.running.set(start.item, { start, output: "" });
  }

  update({ item, patch }: Envelope<"tool.updated">["data"]): void {
    const known = this.running.get(item);
    if (!known) return;
    const { title = known.start.title, input = known.start.input, locations = known.start.locations } = patch;
    const output = typeof patch.output === "string" ? patch.output : patch.output?.tail;
    this.running.set(item, { start: { ...known.start, title, input, locations }, output: output ?? known.output });
  }

  /** Output of a running call. */
  stream({ item, text }: Pick<Delta, "item" | "text">): void {
    const known = this.running.get(item);
    if (known) known.output = (known.output + text).slice(-LONGEST_TAIL);
  }

  restore({ item, text }: OpenItem): void {
    const known = this.running.get(item);
    if (known) known.output = text.slice(-LONGEST_TAIL);
  }

  end(end: Envelope<"tool.ended">["data"], cwd: string | undefined): Entry[] {
    const tool = this.running.get(end.item)?.start;
    this.running.delete(end.item);
    if (!tool) return [];
    const wasShown = this.diffsShown.delete(end.item);
    const render = (frame: Frame) => toolLines(tool, end, { ...frame, cwd, brief: wasShown && !frame.full });
    const plain = render({ paint: UNPAINTED });
    return [
      {
        kind: plain.length > 1 ? "tool-body" : "tool",
        rows: (frame) => {
          const rows = render(tool.parent ? { ...frame, width: frame.width && frame.width - 2 } : frame);
          return tool.parent ? rows.map((row) => `  ${row}`) : rows;
        },
      },
    ];
  }

  noteDiff(item: string): void {
    this.diffsShown.add(item);
  }

  /** The running calls in one line. */
  title(frame: Frame, cwd: string | undefined): string {
    const all = [...this.running.values()];
    const newest = all.at(-1);
    if (!newest) return "";
    const more = all.length > 1 ? ` (+${all.length - 1} more)` : "";
    return `${toolTitle(newest.start, { ...frame, cwd })}${more}`;
  }

  /** The last lines of what the running calls print, `limit` for each. */
  liveRows(frame: Frame, cwd: string | undefined, limit: number): string[] {
    return [...this.running.values()].flatMap(({ start, output }) => {
      if (output.trim() === "") return [];
      const lines = stripControls(output).trimEnd().split("\n");
      const rows = fitRows(lines.slice(-limit), frame, 4).slice(-limit);
      const bar = frame.paint.dim("│");
      return [toolTitle(start, { ...frame, cwd }), ...rows.map((row) => `  ${bar} ${frame.paint.dim(row)}`)];
    });
  }
}
