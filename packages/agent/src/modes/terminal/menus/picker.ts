import { cellsOf, stripControls } from "../screen.ts";

/** One thing to choose. `detail` stands beside it, and counts when something is looked for. */
export type Choice = { label: string; detail?: string; pick(): void | Promise<void> };

const HEIGHT = 8;

/** A list to choose from, narrowed down by what is typed. Pure state: it draws nothing and picks nothing by itself. */
export class Picker {
  readonly title: string;
  readonly #choices: readonly Choice[];
  filter = "";
  #at = 0;

  constructor(title: string, choices: readonly Choice[]) {
    this.title = title;
    this.#choices = choices;
  }

  /** What holds all words that were typed, wherever they stand. */
  get fitting(): readonly Choice[] {
    const words = this.filter.toLowerCase().split(/\s+/).filter(Boolean);
    return this.#choices.filter(({ label, detail = "" }) => {
      const text = `${label} ${detail}`.toLowerCase();
      return words.every((word) => text.includes(word));
    });
  }

  get chosen(): Choice | undefined {
    return this.fitting[this.#at];
  }

  type(text: string): void {
    this.filter += text.replaceAll("\n", " ");
    this.#at = 0;
  }

  erase(all = false): void {
    this.filter = all
      ? ""
      : [...new Intl.Segmenter().segment(this.filter)]
          .slice(0, -1)
          .map((s) => s.segment)
          .join("");
    this.#at = 0;
  }

  /** The ends are ends: whoever holds a key down stops there. */
  move(by: number): void {
    this.#at = Math.max(0, Math.min(this.fitting.length - 1, this.#at + by));
  }

  /** The rows around the chosen one; each fits into the width. */
  rows(width: number): { text: string; chosen: boolean }[] {
    const { fitting } = this;
    const from = Math.max(0, Math.min(this.#at - Math.floor(HEIGHT / 2), fitting.length - HEIGHT));
    const shown = fitting.slice(from, from + HEIGHT);
    const column = Math.min(
      Math.max(0, ...shown.map(({ label }) => cellsOf(stripControls(label)))),
      Math.floor(width * 0.6),
    );
    return shown.map(({ label, detail }, index) => {
      const chosen = from + index === this.#at;
      const name = cut(oneLine(label), detail === undefined ? width - 2 : column);
      const gap = " ".repeat(Math.max(0, column - cellsOf(name)) + 2);
      const text = detail === undefined ? name : `${name}${gap}${oneLine(detail)}`;
      return { text: cut(`${chosen ? "›" : " "} ${text}`, width).trimEnd(), chosen };
    });
  }
}

function oneLine(text: string): string {
  return stripControls(text).replace(/\s*\n\s*/g, " ↵ ");
}

/** The beginning of a text that fits, with a sign that there was more. */
export function cut(text: string, width: number): string {
  if (cellsOf(text) <= width) return text;
  let out = "";
  let cells = 1;
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    cells += cellsOf(segment);
    if (cells > width) break;
    out += segment;
  }
  return `${out}…`;
}
