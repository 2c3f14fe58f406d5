import type { DecoderState } from "../pass.ts";
import type { OpenRequest } from "../two-way.ts";

export type MessageState = DecoderState & {
  /** The block that is being streamed, before the complete message. */
  block?: { native: string; kind: string };
  /** Text items of the last response, until a tool call or the next response. */
  answer: string[];
  /** Number of streamed messages. Their ids differ from those of the complete messages. */
  streams: number;
  asks: Record<string, OpenRequest>;
  stopping?: boolean;
};

export function emptyMessages(): Omit<MessageState, keyof DecoderState> {
  return { answer: [], streams: 0, asks: {} };
}
