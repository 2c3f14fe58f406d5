import { once } from "@gantry/models";
import { z } from "zod";
import type { ToolPlace } from "../../contract/tool.ts";
import { labelLine } from "../disk/anchor.ts";
import { hitName } from "./scope.ts";

const MAX_COLUMNS = 500;
const MAX_BYTES = 50 * 1024;

/** ripgrep encodes text that is not UTF-8 in base64. */
const textOrBytes = once(() =>
  z
    .union([z.object({ text: z.string() }), z.object({ bytes: z.string() })])
    .transform((value) => ("text" in value ? value.text : Buffer.from(value.bytes, "base64").toString("utf8"))),
);
const record = once(() =>
  z.discriminatedUnion("type", [
    z.object({ type: z.literal("begin"), data: z.object({ path: textOrBytes() }) }),
    z.object({
      type: z.enum(["match", "context"]),
      data: z.object({ lines: textOrBytes(), line_number: z.number().nullable() }),
    }),
    z.object({ type: z.literal("end"), data: z.unknown() }),
    z.object({ type: z.literal("summary"), data: z.unknown() }),
  ]),
);

export type HitLine = { number: number; text: string; hit: boolean };
export type FileHits = { cwd: string; name: string; lines: HitLine[]; hits: number; more: number };

/** Selects `limit` hits after `skip`, a maximum per file, and only files that `only` accepts. */
export type Page = { skip: number; limit: number; perFile: number; only(name: string): boolean };

/** Collects one page from ripgrep's records. */
export class GrepReader {
  readonly files: FileHits[] = [];
  /** All hits so far, skipped ones included, without those over a file's maximum. */
  seen = 0;
  full = false;
  readonly #cwd: string;
  readonly #page: Page;
  #file: FileHits | undefined;
  #taken = 0;
  #ofFile = 0;

  constructor(cwd: string, page: Page) {
    this.#cwd = cwd;
    this.#page = page;
  }

  read(line: Buffer): void {
    const parsed = record().safeParse(parseJson(line));
    if (!parsed.success || this.full) return;
    const { type, data } = parsed.data;
    if (type === "begin") {
      this.#file = this.#page.only(data.path)
        ? { cwd: this.#cwd, name: data.path, lines: [], hits: 0, more: 0 }
        : undefined;
      this.#ofFile = 0;
    } else if (type === "match") this.#match(data.lines, data.line_number ?? 0);
    else if (type === "context" && this.#ofFile <= this.#page.perFile)
      this.#add(data.lines, data.line_number ?? 0, false);
  }

  #match(text: string, number: number): void {
    if (!this.#file) return;
    if (++this.#ofFile > this.#page.perFile) {
      this.#file.more++;
      return;
    }
    this.seen++;
    if (this.seen <= this.#page.skip) {
      this.#file.lines = [];
      return;
    }
    if (this.#taken >= this.#page.limit) {
      this.full = true;
      return;
    }
    this.#taken++;
    if (this.#file.hits++ === 0) this.files.push(this.#file);
    this.#add(text, number, true);
  }

  #add(text: string, number: number, hit: boolean): void {
    const rows = text.replace(/\r?\n$/, "").split("\n");
    for (const [index, row] of rows.entries()) this.#file?.lines.push({ number: number + index, text: row, hit });
  }
}

function parseJson(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString("utf8"));
  } catch {
    return undefined;
  }
}

export function printHits(files: readonly FileHits[], anchors: boolean, place: ToolPlace): string {
  const out: string[] = [];
  let bytes = 0;
  for (const { cwd, name, lines, more } of files) {
    const rows = [hitName(cwd, name, place)];
    let last = 0;
    for (const { number, text, hit } of lines) {
      if (last > 0 && number > last + 1) rows.push("  …");
      const shown =
        text.length > MAX_COLUMNS
          ? `${text.slice(0, MAX_COLUMNS)}… (${text.length - MAX_COLUMNS} more characters)`
          : text;
      rows.push(`${hit ? ">" : " "} ${labelLine(number, text, shown, anchors)}`);
      last = number;
    }
    if (more > 0) rows.push(`  (${more} more hits in this file: search this file alone)`);
    const block = rows.join("\n");
    bytes += Buffer.byteLength(block) + 2;
    if (bytes > MAX_BYTES && out.length > 0) {
      out.push(`(${files.length - out.length} more files with hits are not shown: narrow the search)`);
      break;
    }
    out.push(bytes > MAX_BYTES ? `${block.slice(0, MAX_BYTES)}\n(cut)` : block);
  }
  return out.join("\n\n");
}
