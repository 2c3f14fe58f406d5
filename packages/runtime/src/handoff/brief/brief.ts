import type { Receipt } from "@gantry/protocol";
import type { Facts } from "./facts.ts";
import type { Line } from "./line.ts";
import { type BriefContext, type Section, sectionsOf } from "./sections.ts";

/** A summary of a session, with the source event of each line. */
export type Brief = { text: string; receipts: Receipt[] };

export type BriefOptions = BriefContext & { limit: number };

/**
 * The brief of a session. Deterministic: the same facts give the same text. At most `limit` characters, in whole lines; if
 * not everything fits, the newest lines stay and the dropped ones are counted.
 */
export function makeBrief(facts: Facts, { limit, ...outside }: BriefOptions): Brief {
  const sections = fitSections(sectionsOf(facts, outside), limit);
  const skipped = facts.skipped ? ["(The middle of a very long log was not read for this.)"] : [];
  const text = cutLines([...skipped, ...sections.map(renderSection)].join("\n\n"), limit);
  const shown = new Set(text.split("\n"));
  const lines = sections.flatMap((section) => section.lines).filter((line) => shown.has(line.text));
  return { text, receipts: lines.flatMap((line) => receiptsOf(line, facts)) };
}

/** The whole lines that fit. */
function cutLines(text: string, limit: number): string {
  return text.length <= limit ? text : text.slice(0, Math.max(0, text.lastIndexOf("\n", limit)));
}

function receiptsOf({ text, sources }: Line, { ancestors }: Facts): Receipt[] {
  return sources.map(({ seq, quote }) => {
    const from = seq > 0 ? undefined : ancestors.find(({ before, until }) => seq > before && seq <= before + until);
    if (!from) return { line: text, seq, quote };
    return { line: text, seq: seq - from.before, quote, session: from.session };
  });
}

/** For a brief that a person edited: the sources of the lines that are still in it. */
export function receiptsIn(text: string, receipts: readonly Receipt[]): Receipt[] {
  const lines = new Set(text.split(/\r?\n/).map((line) => line.trimEnd()));
  return receipts.filter(({ line }) => lines.has(line));
}

type FittedSection = Section & { left: number };

/** Room for a heading, the blank lines around it and the note about dropped lines. */
const SECTION_OVERHEAD = 90;

/** Drops lines one by one from the section that is largest for its share, until the rest fits. */
function fitSections(sections: readonly Section[], limit: number): FittedSection[] {
  const trimmers = sections.map((section) => new Trimmer(section));
  let total = trimmers.reduce((sum, { size, section }) => sum + size + section.title.length + SECTION_OVERHEAD, 0);
  while (total > limit) {
    const open = trimmers.filter((trimmer) => trimmer.canTrim);
    const [largest] = open.toSorted((a, b) => b.weight - a.weight);
    if (!largest) break;
    total -= largest.trim();
  }
  return trimmers.map((trimmer) => trimmer.done());
}

class Trimmer {
  readonly section: Section;
  size: number;
  readonly #order: Line[];
  #gone = 0;

  constructor(section: Section) {
    this.section = section;
    this.size = section.lines.reduce((sum, { text }) => sum + text.length + 1, 0);
    const loose = section.lines.filter(({ firm }) => !firm);
    this.#order = section.cut === "first" ? loose : loose.reverse();
  }

  get canTrim(): boolean {
    return this.#gone < this.#order.length;
  }

  get weight(): number {
    return this.size / this.section.share;
  }

  /** Drops one line and returns the characters it freed. */
  trim(): number {
    const length = (this.#order[this.#gone]?.text.length ?? -1) + 1;
    this.#gone += 1;
    this.size -= length;
    return length;
  }

  done(): FittedSection {
    const gone = new Set(this.#order.slice(0, this.#gone));
    return { ...this.section, lines: this.section.lines.filter((line) => !gone.has(line)), left: this.#gone };
  }
}

function renderSection({ title, lines, none, cut, left }: FittedSection): string {
  const note = left > 0 ? [`(${left} ${cut === "first" ? "earlier" : "further"} lines are left out.)`] : [];
  const body = lines.map(({ text }) => text);
  const all = cut === "first" ? [...note, ...body] : [...body, ...note];
  return `## ${title}\n\n${all.join("\n") || none}`;
}
