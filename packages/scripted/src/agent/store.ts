import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
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
  updatedAt?: string;
  /** It was closed as its protocol says, and has not been opened since. */
  closed?: boolean;
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

  /** All of them, the oldest first. */
  list(): Conversation[] {
    const names = guarded(() => readdirSync(this.#folder)).filter((name) => name.endsWith(".json"));
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

/** A folder that is not there holds nothing. */
function guarded(read: () => string[]): string[] {
  try {
    return read();
  } catch {
    return [];
  }
}
