import { stripControls, type Theme, wrapText } from "@gantry/terminal";
import type { Person } from "../../contract/ports.ts";
import type { Answer, Question } from "../../contract/tool.ts";
import type { Approval, ApprovalRequest } from "../../permissions/action.ts";
import { changeRows } from "./view/change-rows.ts";

/**
 * A question above the input. `rows` returns its rows, at most `height`. `key` handles a single character or a chord while
 * nothing is typed, `line` a submitted text; they return whether they used it. `secret`: the input is masked.
 */
export type Prompting = {
  rows(width: number, height: number): string[];
  secret?: boolean;
  key?(name: string): boolean;
  line?(text: string): boolean;
};

type Show = (prompting: Prompting | undefined) => void;

type Hands = {
  paint: Theme;
  show: Show;
  /** Sets the text of the answer. */
  edit(text: string): void;
};

/** The person at this terminal. Questions are shown one at a time; an aborted question disappears. */
export function createTerminalPerson({ paint, show, edit }: Hands): Person {
  let before: Promise<unknown> = Promise.resolve();
  const inTurn = <Result>(signal: AbortSignal, fallback: Result, ask: (done: (result: Result) => void) => void) => {
    const turn = before.then(
      () =>
        new Promise<Result>((resolve) => {
          const done = (result: Result) => {
            signal.removeEventListener("abort", onAbort);
            show(undefined);
            resolve(result);
          };
          const onAbort = () => done(fallback);
          if (signal.aborted) return resolve(fallback);
          signal.addEventListener("abort", onAbort);
          ask(done);
        }),
    );
    before = turn;
    return turn;
  };
  return {
    approve: (request, signal) =>
      inTurn<Approval>(signal, { decision: "deny" }, (done) => show(approval(request, { paint, show, edit, done }))),
    async ask(questions, signal) {
      const answers: Answer[] = [];
      for (const question of questions) {
        const answer = await inTurn<Answer | undefined>(signal, undefined, (done) =>
          show(choice(question, paint, done)),
        );
        if (!answer) return undefined;
        answers.push(answer);
      }
      return answers;
    },
  };
}

/** Asks for one line. Resolves to `undefined` when the signal is aborted. */
export function askLine(
  lines: readonly string[],
  { secret, signal }: { secret: boolean; signal: AbortSignal },
  show: Show,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const done = (text: string | undefined) => {
      signal.removeEventListener("abort", giveUp);
      show(undefined);
      resolve(text);
      return true;
    };
    const giveUp = () => void done(undefined);
    if (signal.aborted) return giveUp();
    signal.addEventListener("abort", giveUp);
    show({ rows: (width) => lines.flatMap((line) => wrapText(line, width)), secret, line: done });
  });
}

type ApprovalHandlers = Hands & { done(approval: Approval): void };

function approval(request: ApprovalRequest, { paint, show, edit, done }: ApprovalHandlers): Prompting {
  const editing: Prompting = {
    rows: (width) => wrapText(`Arguments of ${request.toolName} as JSON; enter runs the call with them:`, width),
    line(text) {
      try {
        done({ decision: "once", args: JSON.parse(text) as Record<string, unknown> });
      } catch {
        edit(text);
      }
      return true;
    },
  };
  const preview = new ScrolledRows(request.preview ?? "", paint);
  return {
    rows(width, height) {
      const title = wrapText(`Allow ${stripControls(request.title)}?`, width).map((row) => paint.yellow(row));
      const hint = "y yes · a always in this session · n no · e edit";
      const { rows, place } = preview.window(width, Math.max(3, height - title.length - 2));
      return [...title, ...rows, ...[...place, hint].map((row) => paint.dim(row))];
    },
    key(name) {
      if (name === "y") done({ decision: "once" });
      else if (name === "a") done({ decision: "session" });
      else if (name === "n") done({ decision: "deny" });
      else if (name === "e") {
        show(editing);
        edit(JSON.stringify(request.args));
      } else return preview.scroll(name);
      return true;
    },
  };
}

/** Rows of which a part is visible, with the keys that scroll it. */
class ScrolledRows {
  readonly #text: string;
  readonly #theme: Theme;
  #first = 0;
  #page = 1;
  #total = 0;

  constructor(text: string, theme: Theme) {
    this.#text = text;
    this.#theme = theme;
  }

  /** The visible rows, and where they are in a longer text. */
  window(width: number, height: number): { rows: string[]; place: string[] } {
    const all = this.#text === "" ? [] : changeRows(this.#text, this.#theme, width - 2);
    this.#total = all.length;
    this.#page = height;
    this.#first = Math.max(0, Math.min(this.#first, all.length - height));
    const last = Math.min(all.length, this.#first + height);
    const rows = all.slice(this.#first, last).map((row) => `  ${row}`);
    const place =
      all.length > height
        ? [`  lines ${this.#first + 1} to ${last} of ${all.length} · ↑↓ PgUp PgDn Home End scroll`]
        : [];
    return { rows, place };
  }

  /** Whether the key scrolls. */
  scroll(name: string): boolean {
    const steps: Record<string, number> = {
      up: -1,
      k: -1,
      down: 1,
      j: 1,
      pageup: 1 - this.#page,
      pagedown: this.#page - 1,
      " ": this.#page - 1,
      home: -this.#total,
      end: this.#total,
    };
    const step = steps[name];
    if (step === undefined) return false;
    this.#first = Math.max(0, this.#first + step);
    return true;
  }
}

function choice(question: Question, paint: Theme, done: (answer: Answer | undefined) => void): Prompting {
  const options = question.options.map(
    ({ label, description }, at) => `  ${at + 1}  ${label}${description ? `  ${description}` : ""}`,
  );
  const how = question.multi ? "numbers separated by spaces, or free text" : "a number, or free text";
  return {
    rows: (width) => [
      ...wrapText(stripControls(question.question), width).map((line) => paint.yellow(line)),
      ...options.flatMap((line) => wrapText(stripControls(line), width)),
      paint.dim(`Answer: ${how}`),
    ],
    line(text) {
      const numbers = text
        .trim()
        .split(/[\s,]+/)
        .map(Number);
      const labels = numbers.map((number) => question.options[number - 1]?.label);
      const allThere = labels.every((label) => label !== undefined) && (question.multi || labels.length === 1);
      done(
        allThere ? { id: question.id, selected: labels as string[] } : { id: question.id, selected: [], other: text },
      );
      return true;
    },
  };
}
