import { padText, stripControls, textWidth, truncateText } from "../text/width.ts";

/** One choice. `detail` is shown next to the label and is searched, too. */
export type Choice = { label: string; detail?: string; pick(): void | Promise<void> };

const HEIGHT = 8;

/** A filtered list. Pure state: it does not draw, and it does not call `pick`. */
export class Picker {
  readonly title: string;
  readonly #choices: readonly Choice[];
  filter = "";
  #at = 0;

  constructor(title: string, choices: readonly Choice[]) {
    this.title = title;
    this.#choices = choices;
  }

  /** The choices that contain all typed terms, in any order. */
  get matches(): readonly Choice[] {
    const terms = this.filter.toLowerCase().split(/\s+/).filter(Boolean);
    return this.#choices.filter(({ label, detail = "" }) => {
      const text = `${label} ${detail}`.toLowerCase();
      return terms.every((term) => text.includes(term));
    });
  }

  get chosen(): Choice | undefined {
    return this.matches[this.#at];
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

  /** Does not wrap around, so that a held key stops at the end. */
  move(by: number): void {
    this.#at = Math.max(0, Math.min(this.matches.length - 1, this.#at + by));
  }

  /** The rows around the selected one, each at most `width` cells. */
  rows(width: number): { text: string; chosen: boolean }[] {
    const { matches } = this;
    const from = Math.max(0, Math.min(this.#at - Math.floor(HEIGHT / 2), matches.length - HEIGHT));
    const shown = matches.slice(from, from + HEIGHT);
    const column = Math.min(
      Math.max(0, ...shown.map(({ label }) => textWidth(stripControls(label)))),
      Math.floor(width * 0.6),
    );
    return shown.map(({ label, detail }, index) => {
      const chosen = from + index === this.#at;
      const name = truncateText(oneLine(label), detail === undefined ? width - 2 : column);
      const text = detail === undefined ? name : `${padText(name, column)}  ${oneLine(detail)}`;
      return { text: truncateText(`${chosen ? "›" : " "} ${text}`, width).trimEnd(), chosen };
    });
  }
}

function oneLine(text: string): string {
  return stripControls(text).replace(/\s*\n\s*/g, " ↵ ");
}
