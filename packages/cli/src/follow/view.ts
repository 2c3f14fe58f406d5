import type { Frame } from "@gantry/client";
import type { Output } from "../output.ts";
import { Transcript, type TranscriptOptions } from "../render/transcript.ts";
import type { Surface } from "../terminal/surface.ts";

/** Where the frames of a session are shown while they come. */
export interface View {
  show(frame: Frame): void;
  /** Lines of ours between those of the session. */
  say(lines: readonly string[]): void;
  /** Makes room for a question, and takes it back. */
  suspend(): void;
  resume(): void;
  close(): void;
}

const SPINNER = [..."⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"];
const FRAME_MS = 90;

export type ViewOptions = Pick<TranscriptOptions, "full" | "turnStartedAt" | "cwd">;

export function makeView(output: Output, options: ViewOptions = {}): View {
  return output.json ? jsonView(output) : transcriptView(output, output.surface(), options);
}

/** One JSON a line: durable events in their envelope, everything else marked as live. */
function jsonView(output: Output): View {
  const nothing = () => {};
  return {
    show: (frame) => output.data("event" in frame ? frame.event : { live: true, ...notLogged(frame) }),
    say: nothing,
    suspend: nothing,
    resume: nothing,
    close: nothing,
  };
}

/** The transcript, with a spinner and the unfinished line below it on a terminal. */
export function transcriptView(output: Output, surface: Surface, options: ViewOptions): View {
  const transcript = new Transcript({ ...options, paint: output.paint, width: output.width });
  let tick = 0;
  const repaint = () => surface.live(liveLines(transcript, output, SPINNER[tick % SPINNER.length] ?? ""));
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
      repaint();
    },
    say: (lines) => surface.commit(lines),
    suspend: () => surface.suspend(),
    resume: () => surface.resume(),
    close: () => {
      clearInterval(timer);
      surface.close();
    },
  };
}

/** A long unfinished paragraph shows only its end, so that the live lines never fill the screen. */
function liveLines(transcript: Transcript, output: Output, spinner: string): string[] {
  const partial = transcript.partial.slice(-8);
  const status = transcript.status(Date.now());
  if (status === "") return partial;
  return [...(partial.length > 0 ? ["", ...partial] : []), "", `${output.paint.cyan(spinner)} ${status}`];
}

function notLogged(frame: Exclude<Frame, { event: unknown }>) {
  if ("live" in frame) return frame.live;
  return "snapshot" in frame ? frame.snapshot : frame.gap;
}
