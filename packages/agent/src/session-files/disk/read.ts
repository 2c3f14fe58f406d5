import { randomBytes } from "node:crypto";
import type { Entry, SessionHeader } from "../../contract/session-store.ts";
import { normalizeEntry } from "./normalize.ts";

/** An entry's position in the tree. Its body is parsed on demand. */
export type EntryNode = { id: string; parentId: string | null; type: string; body: () => Entry | undefined };

export type ReadSession = {
  header: (Omit<SessionHeader, "version"> & { version: number }) | undefined;
  nodes: Map<string, EntryNode>;
  leafId: string | null;
  /** Grows when a body cannot be parsed. */
  problems: string[];
  /** Bytes up to the end of the last complete line. The rest is a partial write. */
  end: number;
  /** The last line is complete except for its line feed. */
  open: boolean;
  /** The offset of the last title change, if any. */
  titleAt?: number;
};

/** The start of lines written by Gantry. Other lines are parsed completely. */
const HEAD = /^\{"type":"([a-z_]+)","id":"([\w-]{1,64})","parentId":(?:null|"([\w-]{1,64})"),"timestamp":"[^"\\]*"[,}]/;
const HEAD_LENGTH = 320;
const CLOSING_BRACE = 0x7d;

/** Never throws. Only LF separates lines. */
export function readSession(bytes: Buffer): ReadSession {
  const reader = new Reader(bytes);
  let start = 0;
  for (let number = 1; start < bytes.length; number++) {
    const feed = bytes.indexOf(10, start);
    const end = feed === -1 ? bytes.length : feed;
    if (feed === -1 && !parse(bytes, start, end)) {
      reader.problems.push(`line ${number}: incomplete write; skipped`);
      break;
    }
    reader.open = feed === -1;
    reader.line(start, end, number);
    start = end + 1;
  }
  const { header, nodes, leafId, problems, open, titleAt } = reader;
  return { header, nodes, leafId, problems, open, titleAt, end: Math.min(start, bytes.length) };
}

class Reader {
  header: ReadSession["header"];
  readonly nodes: ReadSession["nodes"] = new Map();
  readonly problems: string[] = [];
  leafId: string | null = null;
  open = false;
  titleAt: number | undefined;
  private readonly bytes: Buffer;
  private last: string | null = null;
  /** Maps ids of non-entry lines and of duplicates to entries. */
  private readonly aliases = new Map<string, string | null>();

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  line(start: number, end: number, number: number): void {
    const head = this.header && this.head(start, end);
    if (head) {
      this.add(head.type, head.id, head.parentId, number, () => parse(this.bytes, start, end));
      return;
    }
    if (this.bytes.toString("latin1", start, Math.min(end, start + 64)).trim() === "" && end - start < 64) return;
    const loose = parse(this.bytes, start, end);
    if (!loose || typeof loose.type !== "string") this.problems.push(`line ${number}: not readable; skipped`);
    else if (!this.header) this.readHeader(loose, number);
    else {
      if (loose.type === "session_info") this.titleAt = start;
      this.readEntry(loose, number);
    }
  }

  private head(start: number, end: number): { type: string; id: string; parentId: string | null } | undefined {
    if (this.bytes[end - 1] !== CLOSING_BRACE) return undefined;
    const match = HEAD.exec(this.bytes.toString("latin1", start, Math.min(end, start + HEAD_LENGTH)));
    if (!match || match[1] === "leaf" || match[1] === "session_info" || match[1] === "session") return undefined;
    return { type: match[1]!, id: match[2]!, parentId: match[3] ?? null };
  }

  private readHeader(loose: Record<string, unknown>, number: number): void {
    if (loose.type === "session" && typeof loose.id === "string") {
      this.header = {
        ...(loose as unknown as SessionHeader),
        version: Number(loose.version ?? 1),
        cwd: String(loose.cwd ?? ""),
        timestamp: String(loose.timestamp ?? new Date(0).toISOString()),
      };
    } else this.problems.push(`line ${number}: comes before the header; skipped`);
  }

  private readEntry(loose: Record<string, unknown>, number: number): void {
    if (typeof loose.id !== "string") {
      this.problems.push(`line ${number}: has no id; skipped`);
      return;
    }
    const parentId = typeof loose.parentId === "string" ? loose.parentId : null;
    if (loose.type === "session_info") {
      if (typeof loose.name === "string" && this.header) {
        this.header.title = loose.name;
        this.header.titleSource = loose.source === "auto" ? "auto" : "user";
      }
      this.readMeta(loose.id, parentId, number);
    } else if (loose.type === "leaf") {
      this.readMeta(loose.id, typeof loose.targetId === "string" ? loose.targetId : null, number);
    } else this.add(String(loose.type), loose.id, parentId, number, () => loose);
  }

  private readMeta(id: string, parentId: string | null, number: number): void {
    this.leafId = this.parent(parentId, number);
    this.aliases.set(id, this.leafId);
  }

  private add(
    type: string,
    requestedId: string,
    parentId: string | null,
    number: number,
    read: () => Loose | undefined,
  ): void {
    const parent = this.parent(parentId, number);
    const id = this.nodes.has(requestedId) ? freeId(this.nodes) : requestedId;
    if (id !== requestedId) {
      this.problems.push(`line ${number}: the id ${requestedId} is already used`);
      this.aliases.set(requestedId, id);
    }
    let entry: Entry | undefined | null = null;
    const body = (): Entry | undefined => {
      if (entry !== null) return entry;
      const loose = read();
      entry = loose && normalizeEntry(loose, id, parent);
      if (!entry) this.problems.push(`line ${number}: not readable; its content is skipped`);
      return entry;
    };
    this.nodes.set(id, { id, parentId: parent, type, body });
    this.leafId = this.last = id;
  }

  /** A parent must come before its child in the file, so that there are no cycles. */
  private parent(parentId: string | null, number: number): string | null {
    if (parentId === null) return null;
    if (this.aliases.has(parentId)) return this.aliases.get(parentId)!;
    if (this.nodes.has(parentId)) return parentId;
    this.problems.push(`line ${number}: its parent ${parentId} is missing; attached to the previous entry`);
    return this.last;
  }
}

type Loose = Record<string, unknown>;

function parse(bytes: Buffer, start: number, end: number): Loose | undefined {
  try {
    const value: unknown = JSON.parse(bytes.toString("utf8", start, end));
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Loose) : undefined;
  } catch {
    return undefined;
  }
}

export function freeId(taken: ReadonlyMap<string, unknown>): string {
  for (;;) {
    const id = randomBytes(4).toString("hex");
    if (!taken.has(id)) return id;
  }
}
