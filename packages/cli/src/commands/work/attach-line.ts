import type { Answers, Delivery, InputAnswer, InputRequest } from "@gantry/protocol";
import { choiceOf, choicesOf, editableLine, editedInput, questionReply } from "../../follow/reply.ts";

/** What a typed line asks for. */
export type Meaning =
  | { do: "nothing" }
  | { do: "quit" }
  | { do: "stop" }
  | { do: "send"; text: string; delivery: Delivery }
  | { do: "answer"; answer: InputAnswer }
  /** One of several questions is answered; the others are still open. */
  | { do: "collect"; answers: Answers }
  /** The line is to be finished: this text goes into it. */
  | { do: "prefill"; text: string }
  | { do: "say"; lines: string[] };

export const HELP = [
  "what you type is sent · /queue or /steer <text> says how · /stop interrupts the turn",
  "/quit leaves it running · /help shows this again",
];

const DELIVERIES: Record<string, Delivery> = { "/send": "auto", "/queue": "queue", "/steer": "steer" };

/** Reads a line: a command with a slash, an answer while something is asked, otherwise a message. */
export function meaningOf(line: string, asked: InputRequest | undefined, answers: Answers): Meaning {
  const text = line.trim();
  if (text === "") return { do: "nothing" };
  if (text.startsWith("/")) return command(text, asked);
  if (!asked) return { do: "send", text, delivery: "auto" };
  return asked.questions.length > 0 ? questionAnswer(text, asked, answers) : choiceAnswer(text, asked);
}

function command(text: string, asked: InputRequest | undefined): Meaning {
  const [word = "", rest = ""] = divide(text);
  const delivery = DELIVERIES[word];
  if (delivery && rest) return { do: "send", text: rest, delivery };
  if (delivery) return { do: "say", lines: [`${word} wants a text`] };
  if (word === "/quit" || word === "/exit") return { do: "quit" };
  if (word === "/stop") return { do: "stop" };
  if (word === "/deny" && asked)
    return { do: "answer", answer: { decision: "deny", ...(rest ? { message: rest } : {}) } };
  return { do: "say", lines: HELP };
}

function choiceAnswer(text: string, asked: InputRequest): Meaning {
  const [word = "", rest = ""] = divide(text);
  const choices = choicesOf(asked);
  const choice = choiceOf(choices, word);
  const needsRest = choice?.more !== undefined;
  if (!choice || (rest !== "" && !needsRest)) {
    const keys = choices.map(({ key }) => key).join(", ");
    return { do: "say", lines: [`an answer is awaited: ${keys} (or /send <text> to send a message all the same)`] };
  }
  if (choice.more === "message") {
    return rest ? { do: "answer", answer: { ...choice.answer, message: rest } } : { do: "prefill", text: "m " };
  }
  if (choice.more !== "edit") return { do: "answer", answer: choice.answer };
  if (rest === "") return { do: "prefill", text: `e ${editableLine(asked)}` };
  const edits = editedInput(asked, rest);
  return edits
    ? { do: "answer", answer: { ...choice.answer, edits } }
    : { do: "say", lines: ["that is no input for the tool"] };
}

function questionAnswer(text: string, asked: InputRequest, answers: Answers): Meaning {
  const open = asked.questions.filter((question) => answers[question.id] === undefined);
  const [question] = open;
  const reply = question && questionReply(question, text);
  if (!question || reply === undefined) return { do: "say", lines: ["give the number of an option, or /deny"] };
  const collected = { ...answers, [question.id]: reply };
  if (open.length > 1) return { do: "collect", answers: collected };
  return { do: "answer", answer: { decision: "allow", answers: collected } };
}

function divide(text: string): [string, string] {
  const at = text.search(/\s/);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1).trim()];
}
