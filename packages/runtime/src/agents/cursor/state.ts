import type { DecoderState } from "../json-lines/pass.ts";

export type CursorState = DecoderState & {
  /** Generated names of the streamed text and thought, because Cursor has none. */
  open?: { text?: string; reasoning?: string };
  /** Chunks were received in this turn, so a repeated message is ignored. */
  pieces?: boolean;
  /** Fingerprint of the last complete text. */
  last?: string;
};
