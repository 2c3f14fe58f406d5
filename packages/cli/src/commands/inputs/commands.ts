import { buildChoiceParser, buildCommand, buildRouteMap } from "@stricli/core";
import { docs, inputParameter, textFlag, toggle } from "../parameters.ts";

const messageFlag = textFlag("Message to the agent", "text");
const optionFlag = textFlag("Option of the request, by id or label", "option");

const answerFlags = {
  session: toggle("Allow it for the rest of this session, within its scope"),
  option: optionFlag,
  message: messageFlag,
  edit: {
    kind: "parsed",
    brief: "Changed tool input, as JSON",
    placeholder: "json",
    optional: true,
    parse: jsonObject,
  },
  answer: {
    kind: "parsed",
    brief: "Answer to a question: id=number or id=text",
    placeholder: "q=a",
    optional: true,
    variadic: true,
    parse: String,
  },
} as const;

export const inbox = buildCommand({
  loader: async () => (await import("./inbox.ts")).default,
  parameters: {},
  docs: docs("List pending requests", { examples: ["gantry inbox", "gantry inbox --json"] }),
});

export const answer = buildCommand({
  loader: async () => (await import("./answer.ts")).default,
  parameters: {
    flags: answerFlags,
    positional: {
      kind: "tuple",
      parameters: [
        inputParameter,
        {
          brief: "allow, deny or cancel",
          placeholder: "allow|deny|cancel",
          parse: buildChoiceParser(["allow", "deny", "cancel"]),
          proposeCompletions: () => ["allow", "deny", "cancel"],
        },
      ],
    },
  },
  docs: docs("Answer a pending request", {
    more: "The first answer wins; a second one is rejected and shows the first.",
    examples: [
      "gantry answer last allow",
      'gantry answer last deny --message "not in main"',
      "gantry answer last allow --answer q1=Red",
    ],
  }),
});

export const allow = buildCommand({
  loader: async () => (await import("./answer.ts")).allow,
  parameters: {
    flags: answerFlags,
    aliases: { s: "session" },
    positional: { kind: "tuple", parameters: [inputParameter] },
  },
  docs: docs("Allow a pending request", { examples: ["gantry allow last", "gantry allow last --session"] }),
});

export const deny = buildCommand({
  loader: async () => (await import("./answer.ts")).deny,
  parameters: {
    flags: { message: messageFlag, option: optionFlag },
    aliases: { m: "message" },
    positional: { kind: "tuple", parameters: [inputParameter] },
  },
  docs: docs("Deny a pending request", { examples: ['gantry deny last -m "use the staging server"'] }),
});

export const grants = buildRouteMap({
  routes: {
    list: buildCommand({
      loader: async () => (await import("./grants.ts")).list,
      parameters: {},
      docs: docs("List grants", { examples: ["gantry grants"] }),
    }),
    revoke: buildCommand({
      loader: async () => (await import("./grants.ts")).revoke,
      parameters: {
        positional: {
          kind: "tuple",
          parameters: [{ brief: "Grant: part of its id or its text", placeholder: "grant", parse: String }],
        },
      },
      docs: docs("Revoke a grant", { examples: ['gantry grants revoke "npm test"'] }),
    }),
  },
  defaultCommand: "list",
  docs: { brief: "List and revoke grants (standing permissions)" },
});

function jsonObject(input: string): Record<string, unknown> {
  const value: unknown = JSON.parse(input);
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new SyntaxError("not a JSON object");
  return value as Record<string, unknown>;
}
