import type { Attachment, Envelope } from "@gantry/protocol";
import { firstLine } from "../text/names.ts";
import type { Paint } from "../text/paint.ts";
import { stripControls } from "../text/width.ts";
import { type Entry, note, textRows } from "./entry.ts";

type Stored = { text: string; attachments: readonly Attachment[] };

/** The user's messages. Each is shown when the agent receives it, so that the order is right. */
export class UserMessages {
  /** Messages that the agent has not received yet. */
  private readonly undelivered = new Map<string, Stored>();
  /** Messages that carry a brief, with the user's prompt. */
  private readonly briefs = new Map<string, string>();
  private readonly queued = new Set<string>();
  /** Messages that were sent into the running turn and that the agent has not read. */
  private readonly steers = new Set<string>();

  add({ message, text, attachments = [] }: Envelope<"message.user">["data"]): void {
    this.undelivered.set(message, { text: this.briefs.get(message) ?? text, attachments });
  }

  /** Shows the user's prompt instead of the brief that the message carries. */
  hideBrief(message: string, prompt: string): void {
    this.briefs.set(message, prompt);
  }

  deliver({ message, state, text, reason }: Envelope<"message.delivery">["data"], isRunning: boolean): Entry[] {
    const stored = this.undelivered.get(message);
    if (stored === undefined) return [];
    const isSteer = this.steers.has(message);
    const title = firstLine(stripControls(stored.text));
    if (state !== "edited") this.steers.delete(message);
    switch (state) {
      case "sent":
        if (!isRunning) return this.show(message);
        this.steers.add(message);
        return [];
      case "queued":
        if (this.queued.has(message)) return [];
        this.queued.add(message);
        return [note(`queued: ${title}`, "info")];
      case "edited":
        this.undelivered.set(message, { ...stored, text: text ?? stored.text });
        return [];
      case "cancelled":
        this.undelivered.delete(message);
        return [note(`${isSteer ? "taken back" : "cancelled"}: ${title}`, "info")];
      case "failed":
        this.undelivered.delete(message);
        return [note(`not delivered${reason ? ` (${stripControls(reason)})` : ""}: ${title}`, "error")];
      default:
        return this.show(message);
    }
  }

  show(message: string): Entry[] {
    const stored = this.undelivered.get(message);
    this.undelivered.delete(message);
    this.steers.delete(message);
    return stored === undefined || (stored.text === "" && stored.attachments.length === 0) ? [] : [userEntry(stored)];
  }

  /** One row for each message that the agent has not read during its turn. */
  pending(paint: Paint): string[] {
    const texts = [...this.steers].map((message) =>
      firstLine(stripControls(this.undelivered.get(message)?.text ?? "")),
    );
    return texts.map((text) => `${paint.cyan("↳")} ${paint.dim("not read yet:")} ${text}`);
  }
}

function userEntry({ text, attachments }: Stored): Entry {
  return {
    kind: "user",
    rows: (frame) => {
      const { paint } = frame;
      const body = text === "" ? [] : textRows(stripControls(text).trimEnd(), frame);
      const rows = body.map((row, index) => `${index === 0 ? paint.cyan("›") : " "} ${paint.bold(row)}`);
      return [...rows, ...(frame.width === undefined ? [] : attachments.flatMap((one) => attachmentRows(one, frame)))];
    },
  };
}

function attachmentRows(attachment: Attachment, frame: Parameters<Entry["rows"]>[0]): string[] {
  const image = attachment.mime?.startsWith("image/") ? frame.image?.(attachment) : undefined;
  const name = attachment.name ?? attachment.path ?? "file";
  return image ?? [`  ${frame.paint.dim(`⎘ ${stripControls(name)}`)}`];
}
