import { SessionError } from "../contract/session.ts";
import type { Branch, Entry, EntryBody, SessionHeader, SessionStore } from "../contract/session-store.ts";
import { readConversation } from "./conversation.ts";
import type { Artifacts } from "./disk/artifacts.ts";
import { mentionsBlob, withBlobs } from "./disk/blobs.ts";
import type { SessionFile } from "./disk/file.ts";
import { type EntryNode, freeId } from "./disk/read.ts";
import { toStorable } from "./disk/storable.ts";

export type StoreParts = {
  header: SessionHeader;
  /** `undefined`: only in memory. */
  file?: SessionFile;
  artifacts: Artifacts;
  blobs: string;
  nodes?: Map<string, EntryNode>;
  leafId?: string | null;
  problems?: string[];
};

/** The tree in memory and its file. An entry that cannot be written is not added to the tree. */
export class Store implements SessionStore {
  readonly header: SessionHeader;
  readonly problems: string[];
  leafId: string | null;
  private readonly parts: StoreParts;
  private readonly nodes: Map<string, EntryNode>;
  private closed = false;

  constructor(parts: StoreParts) {
    this.parts = parts;
    this.header = parts.header;
    this.nodes = parts.nodes ?? new Map();
    this.leafId = parts.leafId ?? null;
    this.problems = parts.problems ?? [];
  }

  get file(): string | undefined {
    return this.parts.file?.path;
  }

  get readOnly(): boolean {
    return this.parts.file?.readOnly ?? false;
  }

  append(body: EntryBody, after: string | null = this.leafId): Entry {
    this.requireWritable();
    if (after !== null && !this.nodes.has(after)) throw new SessionError(`There is no entry ${after}.`);
    return this.adopt({ ...body, id: freeId(this.nodes), parentId: null, timestamp: new Date().toISOString() }, after);
  }

  /** Like `append`, for an entry of another session: its id and timestamp stay. */
  adopt(given: Entry, after: string | null = this.leafId): Entry {
    const { type, id, parentId: _, timestamp, ...rest } = given;
    // The reader recognises this order without parsing the line.
    const ordered = { type, id, parentId: after, timestamp, ...rest } as Entry;
    const entry = this.parts.file ? (toStorable(ordered, this.parts.blobs) as Entry) : ordered;
    this.parts.file?.write(entry, worthAFile(entry));
    this.nodes.set(entry.id, { id: entry.id, parentId: entry.parentId, type: entry.type, body: () => entry });
    this.leafId = entry.id;
    if (this.parts.file?.made) this.parts.artifacts.settle();
    return entry;
  }

  entry(id: string): Entry | undefined {
    return this.nodes.get(id)?.body();
  }

  entries(): readonly Entry[] {
    return [...this.nodes.values()].flatMap((node) => node.body() ?? []);
  }

  children(id: string | null): readonly Entry[] {
    return [...this.nodes.values()].filter(({ parentId }) => parentId === id).flatMap((node) => node.body() ?? []);
  }

  labels(): ReadonlyMap<string, string> {
    const labels = new Map<string, string>();
    for (const node of this.nodes.values()) {
      const entry = node.type === "label" ? node.body() : undefined;
      if (entry?.type !== "label") continue;
      if (entry.label) labels.set(entry.targetId, entry.label);
      else labels.delete(entry.targetId);
    }
    return labels;
  }

  path(): readonly Entry[] {
    return this.pathNodes().flatMap((node) => node.body() ?? []);
  }

  branch(): Branch {
    const branch = readConversation(this.pathNodes());
    const messages = branch.messages.map((message) =>
      mentionsBlob(message) ? withBlobs(message, this.parts.blobs) : message,
    );
    return { ...branch, messages };
  }

  moveTo(entryId: string | null): void {
    this.requireWritable();
    if (entryId !== null && !this.nodes.has(entryId)) throw new SessionError(`There is no entry ${entryId}.`);
    if (entryId === this.leafId) return;
    this.writeMeta({ type: "leaf", parentId: entryId, targetId: entryId });
    this.leafId = entryId;
  }

  setTitle(title: string, source: "auto" | "user"): void {
    this.requireWritable();
    const name = title.replace(/\s+/g, " ").trim().slice(0, 500);
    this.writeMeta({ type: "session_info", parentId: this.leafId, name, source });
    this.header.title = name;
    this.header.titleSource = source;
  }

  keepArtifact(text: string, tool: string): string {
    this.requireWritable();
    return this.parts.artifacts.keep(text, tool, this.parts.file?.made ?? false);
  }

  readArtifact(id: string): string | undefined {
    return this.parts.artifacts.read(id);
  }

  flush(): void {
    if (this.closed || this.readOnly) return;
    this.parts.file?.flush();
    if (this.parts.file?.made) this.parts.artifacts.settle();
  }

  close(): void {
    if (this.closed) return;
    try {
      this.flush();
      if (this.parts.file?.titleOutOfReach && this.header.title) {
        this.setTitle(this.header.title, this.header.titleSource ?? "user");
      }
    } finally {
      this.closed = true;
      this.parts.file?.close();
    }
  }

  private pathNodes(): EntryNode[] {
    const nodes: EntryNode[] = [];
    for (let id = this.leafId; id !== null; ) {
      const node = this.nodes.get(id);
      if (!node) break;
      nodes.push(node);
      id = node.parentId;
    }
    return nodes.reverse();
  }

  /** Writes a line about the tree that is not an entry. */
  private writeMeta(record: { type: string; parentId: string | null } & Record<string, unknown>): void {
    const { type, parentId, ...rest } = record;
    const line = { type, id: freeId(this.nodes), parentId, timestamp: new Date().toISOString(), ...rest };
    this.parts.file?.write(line, "no");
  }

  private requireWritable(): void {
    if (this.closed) throw new SessionError("The session is closed.");
    if (this.readOnly) throw new SessionError("The session is open for reading only: another process writes it.");
  }
}

/** A session without messages gets no file. The model's first answer creates it at once; other content at the end. */
function worthAFile(entry: Entry): "now" | "at the end" | "no" {
  if (entry.type === "message") return entry.message.role === "assistant" ? "now" : "at the end";
  return ["model_change", "thinking_level_change", "mode_change"].includes(entry.type) ? "no" : "at the end";
}
