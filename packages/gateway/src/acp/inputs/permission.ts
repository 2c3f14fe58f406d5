import type { Decision, InputAnswer, InputOption, InputRequest, Question } from "@gantry/protocol";
import type { ToolContent, ToolFields } from "../updates/update.ts";

export type PermissionKind = "allow_once" | "allow_always" | "reject_once";

export type PermissionChoice = { id: string; name: string; kind: PermissionKind; answer: InputAnswer };

/** A question to the user with a list of choices, in the same form for both protocol versions. */
export type PermissionRequest = {
  title: string;
  description?: string;
  choices: PermissionChoice[];
  /** The tool call that the request is about; for a request without one, the input itself. */
  tool: string;
  fields: ToolFields;
  command?: string;
};

const KINDS: Record<InputOption["effect"], PermissionKind> = {
  allow_once: "allow_once",
  allow_session: "allow_always",
  allow_always: "allow_always",
  deny: "reject_once",
  deny_and_stop: "reject_once",
};

/** The request for an input without questions. */
export function permissionFor(input: InputRequest): PermissionRequest {
  const login = input.offer ? `Run \`${input.offer.display}\` in a terminal, then answer here.` : undefined;
  const description = [input.detail, login].filter(Boolean).join("\n\n");
  return { ...common(input, description), choices: choicesFor(input) };
}

/**
 * The request for one question, for a client that has no forms. Its choices are the options; free text needs the page or the
 * command line.
 */
export function permissionForQuestion(input: InputRequest, question: Question): PermissionRequest {
  const free = question.freeform || question.options.length === 0;
  const elsewhere = `A free answer can be given in Gantry's page or with \`gantry answer ${input.id}\`.`;
  const options = question.options.map(({ label, description }) => (description ? `${label}: ${description}` : ""));
  const description = [question.text, ...options.filter(Boolean), free ? elsewhere : ""].filter(Boolean).join("\n\n");
  const choices = question.options.map(
    ({ label }, place): PermissionChoice => ({
      id: `option-${place + 1}`,
      name: label,
      kind: "allow_once",
      answer: { decision: "allow", answers: { [question.id]: question.multi ? [label] : label } },
    }),
  );
  const skip: PermissionChoice = { id: "skip", name: "Skip", kind: "reject_once", answer: { decision: "deny" } };
  return { ...common(input, description), title: question.header ?? question.text, choices: [...choices, skip] };
}

function common(input: InputRequest, description: string): Omit<PermissionRequest, "choices"> {
  const { id, item, title, tool, diff } = input;
  const content: ToolContent[] = [
    ...(diff ?? []).map((change): ToolContent => ({ type: "diff", change })),
    ...(description ? [{ type: "text" as const, text: description }] : []),
  ];
  const fields: ToolFields = {
    title,
    kind: tool?.kind ?? "other",
    status: "pending",
    ...(tool?.name ? { name: tool.name } : {}),
    ...(content.length > 0 ? { content } : {}),
    ...(tool?.input === undefined ? {} : { input: tool.input }),
  };
  const command = tool?.command ? { command: tool.command } : {};
  return { title, ...(description ? { description } : {}), tool: item ?? id, fields, ...command };
}

/** The agent's own options; without any, the decisions that every agent accepts. */
function choicesFor({ options, scope }: InputRequest): PermissionChoice[] {
  if (options.length > 0)
    return options.map((option) => ({
      id: option.id,
      name: option.label,
      kind: KINDS[option.effect],
      answer: { decision: decisionOf(option), option: option.id },
    }));
  const session: PermissionChoice[] = scope
    ? [plainChoice("allow_session", `Allow for this session: ${scope.label}`, "allow_always")]
    : [];
  return [plainChoice("allow", "Allow", "allow_once"), ...session, plainChoice("deny", "Deny", "reject_once")];
}

function plainChoice(decision: Decision, name: string, kind: PermissionKind): PermissionChoice {
  return { id: decision, name, kind, answer: { decision } };
}

function decisionOf({ effect }: InputOption): Decision {
  if (effect === "allow_session") return "allow_session";
  return effect.startsWith("allow") ? "allow" : "deny";
}
