import type { Talk } from "../talk.ts";
import type { Ask } from "../two-way.ts";

export type MessageState = Talk & {
  /** The block that is being streamed; the message that repeats it in full follows. */
  block?: { native: string; kind: string };
  /** Texts of the model's last answer, as items, until a tool call or the next answer. */
  answer: string[];
  /** Counts streamed messages, whose ids are not those of the messages that repeat them. */
  streams: number;
  asks: Record<string, Ask>;
  stopping?: boolean;
};

export function emptyMessages(): Omit<MessageState, keyof Talk> {
  return { answer: [], streams: 0, asks: {} };
}
