import type { DecoderState } from "../../json-lines/pass.ts";

export type CursorState = DecoderState & {
  /** Names of the text and the thought that are being streamed: Cursor gives neither a name. */
  open?: { text?: string; reasoning?: string };
  /** Pieces were seen in this turn, so a message that repeats them says nothing new. */
  pieces?: boolean;
  /** A fingerprint of the last whole text. */
  last?: string;
  /** The recording tells results of runs as well, and a run ends with its result. */
  wrapped?: boolean;
};
