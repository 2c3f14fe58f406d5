import type { Person } from "../../contract/ports.ts";
import type { Answer, Question } from "../../contract/tool.ts";
import type { Approval, ApprovalRequest } from "../../permissions/action.ts";
import { stripControls } from "./screen.ts";

/** Longer previews are cut, so that the question stays on the screen. */
const LONGEST = 12;

/** A line with a style. */
export type Styled = { text: string; style: "bold" | "dim" | "green" | "red" | "yellow" | "cyan" };

/**
 * A question above the input line. `key` handles a single key, `line` a submitted text; they return whether they used
 * it. `secret`: the input is masked.
 */
export type Prompting = {
  lines: (string | Styled)[];
  secret?: boolean;
  key?(text: string): boolean;
  line?(text: string): boolean;
};

type Show = (prompting: Prompting | undefined) => void;

/** The person at this terminal. Questions are shown one at a time; an aborted question disappears. */
export function createTerminalPerson(show: Show, edit: (text: string) => void): Person {
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
      inTurn<Approval>(signal, { decision: "deny" }, (done) => show(approval(request, show, edit, done))),
    async ask(questions, signal) {
      const answers: Answer[] = [];
      for (const question of questions) {
        const answer = await inTurn<Answer | undefined>(signal, undefined, (done) => show(choice(question, done)));
        if (!answer) return undefined;
        answers.push(answer);
      }
      return answers;
    },
  };
}

function approval(
  request: ApprovalRequest,
  show: Show,
  edit: (text: string) => void,
  done: (approval: Approval) => void,
): Prompting {
  const all = stripControls(request.preview ?? "")
    .trimEnd()
    .split("\n")
    .filter((line) => line !== "" && !/^(---|\+\+\+) /.test(line));
  const more = all.length - LONGEST;
  const preview = [
    ...all.slice(0, LONGEST).map(changed),
    ...(more > 0 ? [{ text: `… ${more} more lines`, style: "dim" as const }] : []),
  ];
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
      { text: `Allow ${stripControls(request.title)}?`, style: "yellow" },
      ...preview,
      { text: "y yes · a always in this session · n no · e edit", style: "dim" },
    ],
    key(text) {
      if (text === "y") done({ decision: "once" });
      else if (text === "a") done({ decision: "session" });
      else if (text === "n") done({ decision: "deny" });
      else if (text === "e") {
        show(editing);
        edit(JSON.stringify(request.args));
      } else return false;
      return true;
    },
    line: () => true,
  };
}

function changed(line: string): string | Styled {
  if (line.startsWith("@@")) return { text: `  ${line}`, style: "cyan" };
  if (line.startsWith("+")) return { text: `  ${line}`, style: "green" };
  return line.startsWith("-") ? { text: `  ${line}`, style: "red" } : `  ${line}`;
}

function choice(question: Question, done: (answer: Answer | undefined) => void): Prompting {
  const options = question.options.map(
    ({ label, description }, at) => `  ${at + 1}  ${label}${description ? `  ${description}` : ""}`,
  );
  const how = question.multi ? "numbers separated by spaces, or free text" : "a number, or free text";
  return {
    lines: [
      { text: stripControls(question.question), style: "yellow" },
      ...options.map(stripControls),
      { text: `Answer: ${how}`, style: "dim" },
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
