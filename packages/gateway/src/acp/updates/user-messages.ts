import { pathToFileURL } from "node:url";
import type { Envelope } from "@gantry/protocol";
import type { Block, Output, Update } from "./update.ts";

type UserMessage = Pick<Envelope<"message.user">["data"], "text" | "attachments" | "author">;

/**
 * Messages that no turn has taken yet. A client shows a message when a turn takes it, not when it is queued: the conversation
 * then has the order in which the agent read it.
 */
export class UserMessages {
  readonly #waiting = new Map<string, UserMessage>();

  add({ message, text, attachments, author }: Envelope<"message.user">["data"]): Output[] {
    this.#waiting.set(message, { text, attachments, author });
    return [];
  }

  change({ message, state, text, attachments, reason }: Envelope<"message.delivery">["data"]): Output[] {
    const known = this.#waiting.get(message);
    if (known && text !== undefined)
      this.#waiting.set(message, { ...known, text, ...(attachments && { attachments }) });
    if (state === "inline") return this.show(message).map((update) => ({ update }));
    if (state === "cancelled" || state === "failed") this.#waiting.delete(message);
    const isEnd = state === "queued" || state === "cancelled" || state === "failed";
    return isEnd ? [{ message, state, ...(reason ? { reason } : {}) }] : [];
  }

  /** A turn takes the message. It is shown once, also if it returns to the queue. Gantry's own messages are not shown. */
  show(id: string): Update[] {
    const message = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (!message || message.author === "gantry") return [];
    return [{ kind: "user", id, blocks: [{ type: "text", text: message.text }, ...message.attachments.map(toLink)] }];
  }
}

function toLink({ path, name, mime }: UserMessage["attachments"][number]): Block {
  const label = name ?? path?.split("/").at(-1) ?? "attachment";
  const uri = path?.startsWith("/") ? pathToFileURL(path).href : `attachment:${encodeURIComponent(path ?? label)}`;
  return { type: "link", uri, name: label, ...(mime ? { mime } : {}) };
}
