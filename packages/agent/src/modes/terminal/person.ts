import type { Approval, ApprovalRequest } from "../../permissions/action.ts";
import type { Person } from "../../session/port.ts";
import type { Answer, Question } from "../../tools/tool.ts";

/** A question that stands above the line to type in. `key`: a key that answers it; `line`: text that was sent. */
export type Prompting = {
  lines: string[];
  key?(text: string): boolean;
  line?(text: string): boolean;
};

type Show = (prompting: Prompting | undefined) => void;

/** The person at this terminal. One thing is asked at a time; what is aborted goes away. */
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
  const preview = request.preview?.split("\n").slice(0, 20) ?? [];
  const editing: Prompting = {
    lines: [`Arguments of ${request.toolName} as JSON; enter runs it with them:`],
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
    lines: [...preview, `Allow ${request.title}?  y yes · a always in this session · n no · e edit`],
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

function choice(question: Question, done: (answer: Answer | undefined) => void): Prompting {
  const options = question.options.map(
    ({ label, description }, at) => `  ${at + 1}  ${label}${description ? `  ${description}` : ""}`,
  );
  const how = question.multi ? "numbers with spaces between, or your own words" : "a number, or your own words";
  return {
    lines: [question.question, ...options, `Answer: ${how}`],
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
