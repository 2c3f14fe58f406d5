import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface PastTurn {
  id: string;
  prompt: string;
  reply: string;
}

/** A conversation as a fake agent remembers it. */
export interface Conversation {
  id: string;
  cwd: string;
  forkedFrom?: string;
  turns: PastTurn[];
}

/** Conversations as files in one folder, so that another process can resume them. */
export class ConversationStore {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The stored conversation, or `null` for an id that nobody knows. */
  load(id: string): Conversation | null {
    try {
      return JSON.parse(readFileSync(this.#file(id), "utf8")) as Conversation;
    } catch {
      return null;
    }
  }

  save(conversation: Conversation): void {
    mkdirSync(this.#folder, { recursive: true });
    const draft = `${this.#file(conversation.id)}.${process.pid}`;
    writeFileSync(draft, JSON.stringify(conversation));
    renameSync(draft, this.#file(conversation.id));
  }

  #file(id: string): string {
    return join(this.#folder, `${encodeURIComponent(id)}.json`);
  }
}
