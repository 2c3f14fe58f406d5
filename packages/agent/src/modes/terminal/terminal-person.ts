import { type Paint, renderDiff, stripControls } from "@gantry/terminal";
import type { Person } from "../../contract/ports.ts";
import type { Answer, Question } from "../../contract/tool.ts";
import type { Approval, ApprovalRequest } from "../../permissions/action.ts";

/** Longer previews are cut, so that the question stays on the screen. */
const LONGEST = 12;

/**
 * A question above the input line. `key` handles a single key, `line` a submitted text; they return whether they used
 * it. `secret`: the input is masked.
 */
export type Prompting = {
  lines: string[];
  secret?: boolean;
  key?(text: string): boolean;
  line?(text: string): boolean;
};

type Show = (prompting: Prompting | undefined) => void;

type Hands = {
  paint: Paint;
  show: Show;
  edit(text: string): void;
  /** Appends lines to the transcript. */
  print(lines: readonly string[]): void;
};

/** The person at this terminal. Questions are shown one at a time; an aborted question disappears. */
export function createTerminalPerson({ paint, show, edit, print }: Hands): Person {
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
      inTurn<Approval>(signal, { decision: "deny" }, (done) =>
        show(approval(request, { paint, show, edit, print, done })),
      ),
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
    show({ lines: [...lines], secret, line: done });
  });
}

type ApprovalHandlers = Hands & { done(approval: Approval): void };

function approval(request: ApprovalRequest, { paint, show, edit, print, done }: ApprovalHandlers): Prompting {
  const preview = renderDiff(request.preview ?? "", paint, Number.POSITIVE_INFINITY).map((line) => `  ${line}`);
  const rest = preview.length - LONGEST;
  const title = paint.yellow(`Allow ${stripControls(request.title)}?`);
  const editing: Prompting = {
    lines: [`Arguments of ${request.toolName} as JSON; enter runs the call with them:`],
    line(text) {
      try {
        done({ decision: "once", args: JSON.parse(text) as Record<string, unknown> });
        return true;
      } catch {
        edit(text);
        return true;
      }
    },
  };
  return {
    lines: [
      title,
      ...preview.slice(0, LONGEST),
      ...(rest > 0 ? [paint.dim(`  … ${rest} more line${rest === 1 ? "" : "s"}: v shows all`)] : []),
      paint.dim(`y yes · a always in this session · n no · e edit${rest > 0 ? " · v view all" : ""}`),
    ],
    key(text) {
      if (text === "y") done({ decision: "once" });
      else if (text === "a") done({ decision: "session" });
      else if (text === "n") done({ decision: "deny" });
      else if (text === "v" && rest > 0) print([title, ...preview]);
      else if (text === "e") {
        show(editing);
        edit(JSON.stringify(request.args));
      } else return false;
      return true;
    },
    line: () => true,
  };
}

function choice(question: Question, paint: Paint, done: (answer: Answer | undefined) => void): Prompting {
  const options = question.options.map(
    ({ label, description }, at) => `  ${at + 1}  ${label}${description ? `  ${description}` : ""}`,
  );
  const how = question.multi ? "numbers separated by spaces, or free text" : "a number, or free text";
  return {
    lines: [
      ...stripControls(question.question)
        .split("\n")
        .map((line) => paint.yellow(line)),
      ...options.map(stripControls),
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
