import type { Receipt } from "@gantry/protocol";
import type { Facts } from "./facts.ts";
import { head, type Line } from "./line.ts";
import { type Outside, type Section, sectionsOf } from "./sections.ts";

/** What is told of a session, and for each line of it the event that it comes from. */
export type Brief = { text: string; receipts: Receipt[] };

export type BriefOptions = Outside & { limit: number };

/**
 * The brief of a session: the same facts give the same text. At most `limit` characters; where not everything fits the
 * newest is kept, and what is left out is counted.
 */
export function makeBrief(facts: Facts, { limit, ...outside }: BriefOptions): Brief {
  const sections = fitted(sectionsOf(facts, outside), limit);
  const skipped = facts.skipped ? ["(The middle of a very long log was not read for this.)"] : [];
  const text = head([...skipped, ...sections.map(rendered)].join("\n\n"), limit);
  const shown = new Set(text.split("\n"));
  const lines = sections.flatMap((section) => section.lines).filter((line) => shown.has(line.text));
  return { text, receipts: lines.flatMap((line) => receiptsOf(line, facts)) };
}

function receiptsOf({ text, sources }: Line, { ancestors }: Facts): Receipt[] {
  return sources.map(({ seq, quote }) => {
    const from = seq > 0 ? undefined : ancestors.find(({ before, until }) => seq > before && seq <= before + until);
    if (!from) return { line: text, seq, quote };
    return { line: text, seq: seq - from.before, quote, session: from.session };
  });
}

/** Of a brief that a person has changed: the receipts of lines that are still there. */
export function receiptsIn(text: string, receipts: readonly Receipt[]): Receipt[] {
  const lines = new Set(text.split(/\r?\n/).map((line) => line.trimEnd()));
  return receipts.filter(({ line }) => lines.has(line));
}

type Fitted = Section & { left: number };

/** Room for a heading, the blank lines around it and the word that something is left out. */
const AROUND = 90;

/** Lines go one by one from the section that takes most room for its share, until the rest fits. */
function fitted(sections: readonly Section[], limit: number): Fitted[] {
  const trimmers = sections.map((section) => new Trimmer(section));
  let total = trimmers.reduce((sum, { size, section }) => sum + size + section.title.length + AROUND, 0);
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

  /** Says how much room that made. */
  trim(): number {
    const length = (this.#order[this.#gone]?.text.length ?? -1) + 1;
    this.#gone += 1;
    this.size -= length;
    return length;
  }

  done(): Fitted {
    const gone = new Set(this.#order.slice(0, this.#gone));
    return { ...this.section, lines: this.section.lines.filter((line) => !gone.has(line)), left: this.#gone };
  }
}

function rendered({ title, lines, none, cut, left }: Fitted): string {
  const note = left > 0 ? [`(${left} ${cut === "first" ? "earlier" : "further"} lines are left out.)`] : [];
  const body = lines.map(({ text }) => text);
  const all = cut === "first" ? [...note, ...body] : [...body, ...note];
  return `## ${title}\n\n${all.join("\n") || none}`;
}
