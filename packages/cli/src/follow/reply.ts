import type { Decision, InputAnswer, InputOption, InputRequest, Question } from "@gantry/protocol";

/** One way to answer an input with a key. `more` is what the user must still type. */
export type Choice = { key: string; label: string; answer: InputAnswer; more?: "message" | "edit" };

const STANDARD: readonly InputOption["effect"][] = ["allow_once", "allow_session", "deny"];

/** The keys that answer an input without questions: the usual letters, then whatever else the agent offers. */
export function choicesOf(input: InputRequest): Choice[] {
  if (input.kind === "login") return input.options.map(optionChoice);
  const choices: Choice[] = [{ key: "y", label: "once", answer: { decision: "allow" } }];
  const forSession = input.options.find((option) => option.effect === "allow_session");
  if (input.scope || forSession) {
    const scope = input.scope?.label ?? forSession?.label;
    choices.push({ key: "s", label: `for this session (${scope})`, answer: { decision: "allow_session" } });
  }
  choices.push({ key: "n", label: "deny", answer: { decision: "deny" } });
  choices.push({ key: "m", label: "deny with a message", answer: { decision: "deny" }, more: "message" });
  if (isEditable(input))
    choices.push({ key: "e", label: "edit, then allow", answer: { decision: "allow" }, more: "edit" });
  return [...choices, ...specialChoices(input)];
}

/** Options that the letters cannot express: more than one of an effect, or a different effect. */
function specialChoices(input: InputRequest): Choice[] {
  const special = input.options.filter((option) => {
    const alike = input.options.filter((other) => other.effect === option.effect);
    return !STANDARD.includes(option.effect) || alike.length > 1;
  });
  return special.map(optionChoice);
}

function optionChoice(option: InputOption, index: number): Choice {
  const answer = { decision: decisionOf(option), option: option.id };
  return { key: String(index + 1), label: option.label, answer };
}

/** The decision that an option stands for. */
export function decisionOf(option: InputOption): Decision {
  if (option.effect === "allow_session") return "allow_session";
  return option.effect.startsWith("allow") ? "allow" : "deny";
}

/** The choice for a typed line: its letter or its name. */
export function choiceOf(choices: readonly Choice[], line: string): Choice | undefined {
  const word = line.trim().toLowerCase();
  const letter = { yes: "y", allow: "y", session: "s", no: "n", deny: "n", message: "m", edit: "e" }[word] ?? word;
  return choices.find((choice) => choice.key === letter);
}

/** The answer in a typed line: numbers select options; other text is used where the question allows it. */
export function questionReply(question: Question, line: string): string | string[] | undefined {
  const text = line.trim();
  if (text === "") return undefined;
  const parts = question.multi ? text.split(/\s*,\s*/).filter(Boolean) : [text];
  const labels = parts.map((part) => optionLabel(question, part) ?? (question.freeform ? part : undefined));
  if (labels.some((label) => label === undefined)) return undefined;
  return question.multi ? (labels as string[]) : labels[0];
}

/** The tool input after an edit of the line that was shown; `undefined` when it is not an input any more. */
export function editedInput(input: InputRequest, line: string): Record<string, unknown> | undefined {
  const original = input.tool?.input as Record<string, unknown>;
  if (typeof original.command === "string") return line.trim() === "" ? undefined : { ...original, command: line };
  try {
    const edited: unknown = JSON.parse(line);
    return isObject(edited) ? edited : undefined;
  } catch {
    return undefined;
  }
}

/** The line that is offered for editing: the command, or the whole input as JSON. */
export function editableLine(input: InputRequest): string {
  const original = input.tool?.input as Record<string, unknown>;
  return typeof original.command === "string" ? original.command : JSON.stringify(original);
}

function optionLabel(question: Question, part: string): string | undefined {
  const byNumber = /^\d+$/.test(part) ? question.options[Number(part) - 1] : undefined;
  const byName = question.options.find((option) => option.label.toLowerCase() === part.toLowerCase());
  return (byNumber ?? byName)?.label;
}

function isEditable(input: InputRequest): boolean {
  return isObject(input.tool?.input);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
