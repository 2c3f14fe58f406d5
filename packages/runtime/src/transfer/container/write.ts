import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { createGzip } from "node:zlib";
import type { Envelope, SessionView } from "@gantry/protocol";
import type { Blobs } from "../../log/blobs.ts";
import type { Store } from "../../log/port.ts";
import type { Redactor } from "../redact.ts";
import { EVENT_START, FORMAT, type Header, type Sums, VERSION } from "./format.ts";

const PAGE = 500;
const PART = 512 * 1024;
const REFERENCE = /"blob":"([0-9a-f]{64})"/g;

export type PackDeps = {
  store: Store;
  blobs: Blobs;
  version: string;
  now: () => string;
  /** The patch of a turn; `undefined` if it is unknown. */
  patchOf(session: string, turn: string): Promise<string | undefined>;
};

/** The file of a session at this moment. Later events are not included. */
export function pack(deps: PackDeps, view: SessionView, redactor?: Redactor): AsyncIterable<Uint8Array> {
  return Readable.from(lines(deps, view, redactor), { objectMode: true }).pipe(createGzip({ level: 6 }));
}

async function* lines(deps: PackDeps, view: SessionView, redactor: Redactor | undefined): AsyncGenerator<string> {
  const seal = createHash("sha256");
  const sealLine = (line: string) => {
    seal.update(line);
    return line;
  };
  const sums: Omit<Sums, "sha256" | "eventsSha256"> = { events: 0, blobs: 0, patches: 0, missing: 0 };
  const eventsSeal = createHash("sha256");
  yield sealLine(lineOf(headerOf(deps, view, redactor)));
  const turns: string[] = [];
  const packed = new Set<string>();
  for (const json of eventsUpTo(deps.store, view)) {
    for (const line of blobLines(deps.blobs, json, packed, sums, redactor)) yield sealLine(line);
    const event = JSON.parse(json) as Envelope;
    if (event.type === "turn.ended" && event.turn) turns.push(event.turn);
    const shown = redactor ? JSON.stringify(redactor.event(event)) : json;
    eventsSeal.update(`${shown}\n`);
    sums.events++;
    yield sealLine(`${EVENT_START}${shown}}\n`);
  }
  for (const turn of turns) {
    const text = await deps.patchOf(view.id, turn);
    if (!text) continue;
    sums.patches++;
    yield sealLine(lineOf({ patch: { turn, text: redactor ? redactor.text(text) : text } }));
  }
  yield lineOf({ end: { ...sums, sha256: seal.digest("hex"), eventsSha256: eventsSeal.digest("hex") } });
}

function headerOf({ version, now }: PackDeps, view: SessionView, redactor: Redactor | undefined): Header {
  const redactText = (text: string) => (redactor ? redactor.text(text) : text);
  const { id, agent, createdAt, updatedAt, lastSeq } = view;
  const session = { id, agent, title: redactText(view.title), cwd: redactText(view.cwd), createdAt, updatedAt };
  const redacted = redactor ? { redacted: true } : {};
  return {
    format: FORMAT,
    version: VERSION,
    gantry: version,
    exportedAt: now(),
    ...redacted,
    session,
    events: lastSeq,
  };
}

/** The log up to the view's last event, a page at a time. */
export function* eventsUpTo(store: Store, { id, lastSeq }: SessionView): Generator<string> {
  for (let after = 0; after < lastSeq; ) {
    const page = store.readEvents(id, after, Math.min(PAGE, lastSeq - after));
    if (page.length === 0) return;
    for (const { json } of page) yield json;
    after = page.at(-1)!.seq;
  }
}

function* blobLines(
  blobs: Blobs,
  json: string,
  packed: Set<string>,
  sums: { blobs: number; missing: number },
  redactor: Redactor | undefined,
): Generator<string> {
  for (const [, name = ""] of json.matchAll(REFERENCE)) {
    if (packed.has(name)) continue;
    packed.add(name);
    const text = blobs.read(name);
    if (text === undefined) {
      sums.missing++;
      continue;
    }
    sums.blobs++;
    yield* parts(redactor ? redactor.blob(name, text) : { name, text });
  }
}

function* parts({ name, text }: { name: string; text: string }): Generator<string> {
  let from = 0;
  let part = 0;
  do {
    // A surrogate pair stays in one part.
    let to = Math.min(from + PART, text.length);
    if (to < text.length && /[\uD800-\uDBFF]/.test(text[to - 1] ?? "")) to++;
    yield lineOf({ blob: name, part: part++, last: to >= text.length, text: text.slice(from, to) });
    from = to;
  } while (from < text.length);
}

function lineOf(value: object): string {
  return `${JSON.stringify(value)}\n`;
}
