import type { Frame } from "@gantry/client";
import type { Surface } from "@gantry/terminal";
import { Transcript, type TranscriptOptions } from "@gantry/terminal/transcript";
import type { Output } from "../program/output.ts";

/** Where the frames of a session are shown while they come. */
export interface View {
  show(frame: Frame): void;
  /** Prints lines of the CLI between those of the session. */
  print(lines: readonly string[]): void;
  /** Replaces the agent's activity in the status line. */
  status(text: string): void;
  /** Clears the live lines for a question, until `resume`. */
  suspend(): void;
  resume(): void;
  close(): void;
}

const SPINNER = [..."⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"];
const FRAME_MS = 90;
const REPAINT_MS = 33;
/** Of the terminal's rows. */
const LIVE_SHARE = 0.5;
const PENDING_ROWS = 4;

export type ViewOptions = Pick<TranscriptOptions, "full" | "turnStartedAt" | "cwd" | "tasks">;

export function makeView(output: Output, options: ViewOptions = {}): View {
  return output.json ? jsonView(output) : transcriptView(output, output.surface(), options);
}

/** One JSON a line: durable events in their envelope, everything else marked as live. */
function jsonView(output: Output): View {
  const doNothing = () => {};
  return {
    show: (frame) => output.data("event" in frame ? frame.event : { live: true, ...notLogged(frame) }),
    print: doNothing,
    status: doNothing,
    suspend: doNothing,
    resume: doNothing,
    close: doNothing,
  };
}

/** The transcript, with a spinner and the unfinished line below it on a terminal. */
export function transcriptView(output: Output, surface: Surface, options: ViewOptions): View {
  const transcript = new Transcript({ ...options, paint: output.paint, width: output.width });
  let tick = 0;
  let ours = "";
  const repaint = () => {
    const theirs = transcript.status(Date.now());
    const status = theirs && (ours || theirs);
    const spinner = output.paint.cyan(SPINNER[tick % SPINNER.length] ?? "");
    const pending = transcript.pending.slice(-PENDING_ROWS);
    const most = Math.max(4, Math.floor(output.rows() * LIVE_SHARE));
    surface.live(liveLines(transcript.partial.slice(-most), status && `${spinner} ${status}`), pending);
  };
  /** At most 30 repaints a second: deltas arrive faster than a person reads. */
  let scheduled: NodeJS.Timeout | undefined;
  const scheduleRepaint = () => {
    if (!output.width) return;
    scheduled ??= setTimeout(() => {
      scheduled = undefined;
      repaint();
    }, REPAINT_MS);
  };
  const timer = output.width
    ? setInterval(() => {
        tick++;
        repaint();
      }, FRAME_MS)
    : undefined;
  timer?.unref();
  return {
    show: (frame) => {
      surface.commit("event" in frame ? transcript.event(frame.event) : transcript.live(notLogged(frame)));
      scheduleRepaint();
    },
    print: (lines) => surface.commit(lines),
    status: (text) => {
      ours = text;
      repaint();
      if (!output.width) output.note(text);
    },
    suspend: () => surface.suspend(),
    resume: () => surface.resume(),
    close: () => {
      clearInterval(timer);
      clearTimeout(scheduled);
      surface.close();
    },
  };
}

/** A long unfinished part shows only its end, so that the live lines never fill the screen. */
function liveLines(rows: string[], status: string): string[] {
  if (status === "") return rows;
  return rows.length > 0 ? ["", ...rows, "", status] : ["", status];
}

function notLogged(frame: Exclude<Frame, { event: unknown }>) {
  if ("live" in frame) return frame.live;
  return "snapshot" in frame ? frame.snapshot : frame.gap;
}
