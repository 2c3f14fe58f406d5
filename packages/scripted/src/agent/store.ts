import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface PastTurn {
  id: string;
  prompt: string;
  reply: string;
}

/** A stored conversation of a fake agent. */
export interface Conversation {
  id: string;
  cwd: string;
  forkedFrom?: string;
  turns: PastTurn[];
  updatedAt?: string;
  /** It was closed through the protocol and has not been reopened. */
  closed?: boolean;
}

/** Conversations as files in one folder, so that another process can resume them. */
export class ConversationStore {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The stored conversation, or `null` for an unknown id. */
  load(id: string): Conversation | null {
    try {
      return JSON.parse(readFileSync(this.#file(id), "utf8")) as Conversation;
    } catch {
      return null;
    }
  }

  /** All conversations, oldest first. */
  list(): Conversation[] {
    const names = readOrEmpty(() => readdirSync(this.#folder)).filter((name) => name.endsWith(".json"));
    const all = names.flatMap((name) => this.load(decodeURIComponent(name.slice(0, -".json".length))) ?? []);
    return all.sort((a, b) => (a.updatedAt ?? "").localeCompare(b.updatedAt ?? ""));
  }

  save(conversation: Conversation): void {
    mkdirSync(this.#folder, { recursive: true });
    const draft = `${this.#file(conversation.id)}.${process.pid}`;
    writeFileSync(draft, JSON.stringify({ ...conversation, updatedAt: new Date().toISOString() }));
    renameSync(draft, this.#file(conversation.id));
  }

  #file(id: string): string {
    return join(this.#folder, `${encodeURIComponent(id)}.json`);
  }
}

/** A missing folder counts as empty. */
function readOrEmpty(read: () => string[]): string[] {
  try {
    return read();
  } catch {
    return [];
  }
}
