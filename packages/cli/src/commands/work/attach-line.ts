import type { Answers, Attachment, Command, Delivery, InputAnswer, InputRequest, PatchSession } from "@gantry/protocol";
import { choiceOf, choicesOf, editableLine, editedInput, questionReply } from "../../follow/reply.ts";

/** The action that a typed line requests. */
export type Meaning =
  | { do: "nothing" }
  | { do: "quit" }
  | { do: "stop" }
  /** What to do with the queue. `place` counts from 1. */
  | { do: "resume" }
  | { do: "clear" }
  | { do: "now"; place: number }
  /** Takes back a message that the agent has not read. Without a place, the last one. */
  | { do: "takeBack"; place?: number }
  /** Changes settings of the session; without any, shows them. */
  | { do: "set"; changes: PatchSession }
  /** Asks the agent what fills its context. */
  | { do: "context" }
  /** Lists background tasks. `place`: stops the one at this place of the list, counted from 1, or with this id. */
  | { do: "tasks" }
  | { do: "stopTask"; place: string }
  | { do: "send"; text: string; delivery: Delivery; attachments?: Attachment[] }
  | { do: "answer"; answer: InputAnswer }
  /** Stores the answer to one of several questions. */
  | { do: "collect"; answers: Answers }
  /** Puts this text into the line for the user to complete. */
  | { do: "prefill"; text: string }
  | { do: "print"; lines: string[] };

export const HELP = [
  "every line is sent as a message · /queue or /steer <text> sets the delivery · /stop stops the turn and holds the queue",
  "/mode, /model, /effort <value>, /fast on|off and /control <name>=<choice> change the session · /set shows its settings, /context what fills its context",
  "/resume runs the queue · /clear empties it · /now <place> sends one message · /takeback takes back one that the agent has not read",
  "/tasks lists background tasks · /tasks stop <place> stops one · /quit leaves everything running · /help",
  "the agent's own slash commands are sent to it (/send /clear for one that is named above) · Tab completes commands and values",
];

const DELIVERIES: Record<string, Delivery> = { "/send": "auto", "/queue": "queue", "/steer": "steer" };

const SETTINGS = ["/mode", "/model", "/effort", "/fast", "/control"];

/** Every command of `attach`, for the menu. */
export const COMMANDS: readonly { name: string; hint?: string; about: string }[] = [
  { name: "/stop", about: "stop the turn and hold the queue" },
  { name: "/mode", hint: "<mode>", about: "change the mode" },
  { name: "/model", hint: "<model>", about: "change the model" },
  { name: "/effort", hint: "<effort>", about: "change the effort" },
  { name: "/fast", hint: "on|off", about: "change the speed" },
  { name: "/control", hint: "<name>=<choice>", about: "change a control of the agent" },
  { name: "/set", about: "show the settings" },
  { name: "/context", about: "show what fills the context" },
  { name: "/queue", hint: "<text>", about: "send after the turn" },
  { name: "/steer", hint: "<text>", about: "send into the running turn" },
  { name: "/send", hint: "<text>", about: "send unchanged, also a command of the agent" },
  { name: "/resume", about: "run the queue" },
  { name: "/clear", about: "empty the queue" },
  { name: "/now", hint: "<place>", about: "send one queued message at once" },
  { name: "/takeback", hint: "[place]", about: "take back a message that the agent has not read" },
  { name: "/tasks", hint: "[stop <place>]", about: "list background tasks, or stop one" },
  { name: "/deny", hint: "[reason]", about: "deny the request" },
  { name: "/quit", about: "leave; the session continues" },
  { name: "/exit", about: "leave; the session continues" },
  { name: "/help", about: "list the commands" },
];

/**
 * Parses a line: a slash command, an answer while an input is pending, otherwise a message. A command of `attach` comes
 * before one of the agent with the same name; `/send` sends the agent's.
 */
export function meaningOf(
  line: string,
  asked: InputRequest | undefined,
  answers: Answers,
  agentCommands: readonly Pick<Command, "name">[] = [],
): Meaning {
  const text = line.trim();
  if (text === "") return { do: "nothing" };
  const [word] = divide(text);
  const isOwn = COMMANDS.some(({ name }) => name === word);
  const isAgents = !isOwn && agentCommands.some(({ name }) => `/${name}` === word);
  if (isAgents) return { do: "send", text, delivery: "auto" };
  // A word with a second slash is a path.
  if (word.startsWith("/") && !word.includes("/", 1)) return command(text, asked);
  if (!asked) return { do: "send", text, delivery: "auto" };
  return asked.questions.length > 0 ? questionAnswer(text, asked, answers) : choiceAnswer(text, asked);
}

function command(text: string, asked: InputRequest | undefined): Meaning {
  const [word = "", rest = ""] = divide(text);
  const delivery = DELIVERIES[word];
  if (delivery && rest) return { do: "send", text: rest, delivery };
  if (delivery) return { do: "print", lines: [`${word} needs a text`] };
  if (word === "/quit" || word === "/exit") return { do: "quit" };
  if (word === "/stop") return { do: "stop" };
  if (word === "/resume") return { do: "resume" };
  if (word === "/clear") return { do: "clear" };
  if (word === "/context") return { do: "context" };
  const setting = settingOf(word, rest);
  if (setting) return setting;
  if (word === "/now") return { do: "now", place: Number(rest) || 1 };
  if (word === "/takeback") return { do: "takeBack", ...(Number(rest) > 0 ? { place: Number(rest) } : {}) };
  if (word === "/tasks") return tasksCommand(rest);
  if (word === "/deny" && asked)
    return { do: "answer", answer: { decision: "deny", ...(rest ? { message: rest } : {}) } };
  return { do: "print", lines: HELP };
}

/** `/mode plan`, `/model gpt-5`, `/effort high`, `/fast on`, `/control sandbox=read-only`, or `/set` alone. */
function settingOf(word: string, value: string): Meaning | undefined {
  if (word === "/set") return { do: "set", changes: {} };
  if (!SETTINGS.includes(word)) return undefined;
  if (value === "") return { do: "print", lines: [`${word} needs a value`] };
  if (word === "/fast" || word === "/control") {
    const [id, choice] =
      word === "/fast" ? ["fast", value] : (/^([^\s=]+)(?:\s*=\s*|\s+)(.+)$/.exec(value)?.slice(1) ?? []);
    if (!id || !choice) return { do: "print", lines: ["write /control <name>=<choice>"] };
    return { do: "set", changes: { controls: { [id]: choice === "default" ? null : choice } } };
  }
  const isUnset = value === "default" && word !== "/mode";
  return { do: "set", changes: { [word.slice(1)]: isUnset ? null : value } };
}

function tasksCommand(rest: string): Meaning {
  if (rest === "") return { do: "tasks" };
  const [word, place] = divide(rest);
  return word === "stop" && place !== "" ? { do: "stopTask", place } : { do: "print", lines: ["/tasks stop <place>"] };
}

function choiceAnswer(text: string, asked: InputRequest): Meaning {
  const [word = "", rest = ""] = divide(text);
  const choices = choicesOf(asked);
  const choice = choiceOf(choices, word);
  const needsRest = choice?.more !== undefined;
  if (!choice || (rest !== "" && !needsRest)) {
    const keys = choices.map(({ key }) => key).join(", ");
    return { do: "print", lines: [`the agent waits for an answer: ${keys} (/send <text> sends a message instead)`] };
  }
  if (choice.more === "message") {
    return rest ? { do: "answer", answer: { ...choice.answer, message: rest } } : { do: "prefill", text: "m " };
  }
  if (choice.more !== "edit") return { do: "answer", answer: choice.answer };
  if (rest === "") return { do: "prefill", text: `e ${editableLine(asked)}` };
  const edits = editedInput(asked, rest);
  return edits
    ? { do: "answer", answer: { ...choice.answer, edits } }
    : { do: "print", lines: ["that is not valid input for the tool"] };
}

function questionAnswer(text: string, asked: InputRequest, answers: Answers): Meaning {
  const open = asked.questions.filter((question) => answers[question.id] === undefined);
  const [question] = open;
  const reply = question && questionReply(question, text);
  if (!question || reply === undefined) return { do: "print", lines: ["type the number of an option, or /deny"] };
  const collected = { ...answers, [question.id]: reply };
  if (open.length > 1) return { do: "collect", answers: collected };
  return { do: "answer", answer: { decision: "allow", answers: collected } };
}

function divide(text: string): [string, string] {
  const at = text.search(/\s/);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1).trim()];
}
