import type { Envelope } from "@gantry/protocol";

const LONGEST_PART = 1500;
const MOST_MESSAGES = 6;

/** The request for a title. `events` are a session's log, or its start and end. */
export function titlePrompt(before: string, events: readonly Envelope[]): string {
  return [
    "Write the title of a work session: 2 to 6 words, at most 48 characters, no final punctuation, in the", // prose-ignore: a count of words
    "language of the user. The title shows readers of a list what the work is about.",
    `It is called "${before}" so far.`,
    material(events),
  ].join("\n");
}

/** The request for a summary. */
export function summaryPrompt(events: readonly Envelope[]): string {
  return [
    "Summarise a work session in one or two sentences, at most 240 characters in all, in the language of the user: what",
    "the user requested, what has been done, and what remains, if anything.",
    material(events),
  ].join("\n");
}

/** The first and last messages of the user, and the last answers. */
function material(events: readonly Envelope[]): string {
  const asked = events.flatMap((event) => (event.type === "message.user" ? [`User: ${part(event.data.text)}`] : []));
  const shown = asked.length <= MOST_MESSAGES ? asked : [...asked.slice(0, 2), "…", ...asked.slice(2 - MOST_MESSAGES)];
  const answers = events.flatMap((event) =>
    event.type === "message.done" && !event.data.parent ? [`Agent: ${part(event.data.text)}`] : [],
  );
  return ["-----", ...shown, ...answers.slice(-2), "-----"].join("\n");
}

function part(text: string): string {
  return text.length <= LONGEST_PART ? text : `${text.slice(0, LONGEST_PART)} …`;
}
