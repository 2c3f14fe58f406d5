import { createHash } from "node:crypto";
import { type Envelope, EnvelopeSchema, foldSession, type SessionView } from "@gantry/protocol";
import { damagedFileError, newerFileError } from "./errors.ts";
import { BlobLine, EndLine, EVENT_START, Header, limits, PatchLine, type Sums, VERSION } from "./format.ts";
import { unpackLines } from "./lines.ts";

/** The content of a file, piece by piece, each verified. */
export type Piece =
  | { kind: "header"; header: Header }
  | { kind: "blob"; line: BlobLine }
  /** `json` is the event byte for byte. */
  | { kind: "event"; event: Envelope; json: string }
  | { kind: "patch"; turn: string; text: string }
  | { kind: "end"; sums: Sums };

/** Reads a file and checks each line of it. Throws `damaged_file` or `unsupported`. */
export async function* readPieces(path: string): AsyncGenerator<Piece> {
  let first = true;
  for await (const line of unpackLines(path)) {
    yield first ? headerOf(line) : pieceOf(line);
    first = false;
  }
  if (first) throw damagedFileError("it is empty");
}

export type Checked = { header: Header; sums: Sums; view: SessionView };

/** Reads a file to its end. It must be complete, unchanged, and a valid log. */
export async function check(path: string, signal?: AbortSignal): Promise<Checked> {
  const checker = new Checker();
  for await (const line of unpackLines(path, signal)) checker.line(line);
  return checker.result();
}

/** Verifies one file from its first line to its seal. */
class Checker {
  #header: Header | undefined;
  #view: SessionView | undefined;
  #sums: Sums | undefined;
  #blob: { name: string; part: number; size: number; hash: ReturnType<typeof createHash> } | undefined;
  readonly #seal = createHash("sha256");
  readonly #eventsSeal = createHash("sha256");
  readonly #counts = { events: 0, blobs: 0, patches: 0 };

  line(text: string): void {
    if (this.#sums) throw damagedFileError("something follows its end");
    const piece = this.#header ? pieceOf(text) : headerOf(text);
    if (piece.kind !== "end") this.#seal.update(`${text}\n`);
    if (this.#blob && piece.kind !== "blob") throw damagedFileError("a text in it is cut off");
    if (piece.kind === "header") this.#header = piece.header;
    if (piece.kind === "blob") this.#part(piece.line);
    if (piece.kind === "event") this.#event(piece.event, piece.json);
    if (piece.kind === "patch") this.#counts.patches++;
    if (piece.kind === "end") this.#end(piece.sums);
  }

  result(): Checked {
    if (!this.#header || !this.#sums || !this.#view) throw damagedFileError("its end is missing");
    return { header: this.#header, sums: this.#sums, view: this.#view };
  }

  #event(event: Envelope, json: string): void {
    const { session } = this.#header!;
    this.#counts.events++;
    if (this.#counts.events > limits.events) throw damagedFileError("it holds more than a session can");
    if (event.session !== session.id) throw damagedFileError(`event ${event.seq} belongs to another session`);
    if (event.seq !== this.#counts.events)
      throw damagedFileError(`event ${event.seq} does not follow ${this.#counts.events - 1}`);
    if ((event.type === "session.created") !== (event.seq === 1))
      throw damagedFileError("it does not begin as a session does");
    this.#eventsSeal.update(`${json}\n`);
    this.#view = foldSession(this.#view, event);
  }

  #part({ blob, part, last, text }: BlobLine): void {
    this.#blob ??= { name: blob, part: 0, size: 0, hash: createHash("sha256") };
    const open = this.#blob;
    if (open.name !== blob || open.part !== part) throw damagedFileError("the pieces of a text in it are out of order");
    open.part++;
    open.size += text.length;
    if (open.size > limits.blobCharacters) throw damagedFileError("a text in it is too long");
    open.hash.update(text);
    if (!last) return;
    if (open.hash.digest("hex") !== blob) throw damagedFileError("a text in it does not match its hash");
    this.#counts.blobs++;
    this.#blob = undefined;
  }

  #end(sums: Sums): void {
    const { events, blobs, patches } = this.#counts;
    const counted = sums.events === events && sums.blobs === blobs && sums.patches === patches;
    if (!counted || sums.events !== this.#header?.events) throw damagedFileError("something in it is missing");
    if (sums.sha256 !== this.#seal.digest("hex")) throw damagedFileError("it was changed after it was written");
    if (sums.eventsSha256 !== this.#eventsSeal.digest("hex"))
      throw damagedFileError("it was changed after it was written");
    this.#sums = sums;
  }
}

function headerOf(line: string): Piece {
  const value = parseLine(line) as { format?: unknown; version?: unknown; gantry?: unknown };
  const { data } = Header.safeParse(value);
  const version = typeof value?.version === "number" ? value.version : 0;
  if (value?.format === Header.shape.format.value && version > VERSION)
    throw newerFileError(version, String(value.gantry));
  if (!data) throw damagedFileError("it is not a file that `gantry export` writes");
  return { kind: "header", header: data };
}

function pieceOf(line: string): Piece {
  if (line.startsWith(EVENT_START)) return eventOf(line.slice(EVENT_START.length, -1));
  const value = parseLine(line);
  const blob = BlobLine.safeParse(value);
  if (blob.success) return { kind: "blob", line: blob.data };
  const patch = PatchLine.safeParse(value);
  if (patch.success) return { kind: "patch", ...patch.data.patch };
  const end = EndLine.safeParse(value);
  if (end.success) return { kind: "end", sums: end.data.end };
  throw damagedFileError("a line in it has no meaning");
}

function eventOf(json: string): Piece {
  const event = parseLine(json) as Envelope;
  const checked = EnvelopeSchema.safeParse(event);
  if (!checked.success)
    throw damagedFileError(`an event in it is not valid (${checked.error.issues[0]?.path.join(".") ?? "?"})`);
  return { kind: "event", event, json };
}

function parseLine(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw damagedFileError("a line in it is not JSON");
  }
  if (depthOf(value) > limits.depth) throw damagedFileError("a line in it is nested too deeply");
  return value;
}

/** Iterative, so that deep nesting does not overflow the stack. */
function depthOf(root: unknown): number {
  let level: unknown[] = [root];
  let depth = 0;
  while (level.length > 0 && depth <= limits.depth) {
    level = level.flatMap((value) => (typeof value === "object" && value !== null ? Object.values(value) : []));
    depth++;
  }
  return depth;
}
