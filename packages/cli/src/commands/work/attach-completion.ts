import type { AgentRow, Command, Session } from "@gantry/protocol";
import { ladder } from "@gantry/protocol";
import type { Completions } from "@gantry/terminal";
import { OWN_COMMANDS, TEXT_COMMANDS } from "./attach-line.ts";

/** What Tab can complete in an attached session. `row` is absent until the daemon answered. */
export type Completable = {
  session: Pick<Session, "model" | "controlChoices">;
  row?: Pick<AgentRow, "modes" | "models" | "controls">;
  commands: readonly Pick<Command, "name">[];
};

/** Completes commands of `attach`, the agent's slash commands, and names and values of settings. */
export function completeLine(text: string, known: Completable): Completions {
  const [, command = "", , rest] = /^(\/\S*)(\s+(.*))?$/s.exec(text) ?? [];
  if (command === "") return { matches: [], replaced: "" };
  if (rest === undefined) return startingWith(command, [...OWN_COMMANDS, ...agentCommands(known)]);
  if (TEXT_COMMANDS.includes(command)) return startingWith(rest, rest.startsWith("/") ? agentCommands(known) : []);
  return startingWith(rest, settingValues(command, rest, known));
}

function agentCommands({ commands }: Completable): string[] {
  return commands.map(({ name }) => `/${name}`);
}

function settingValues(command: string, rest: string, known: Completable): readonly string[] {
  switch (command) {
    case "/mode":
      return known.row?.modes ?? [...ladder, "inherit"];
    case "/model":
      return known.row?.models.items.map(({ id }) => id) ?? [];
    case "/effort":
      return effortsOf(known);
    case "/fast":
      return ["on", "off", "default"];
    case "/control":
      return controlValues(rest, known);
    case "/tasks":
      return ["stop"];
    default:
      return [];
  }
}

function effortsOf({ session: { model }, row }: Completable): readonly string[] {
  const items = row?.models.items ?? [];
  return (model ? items.find(({ id }) => id === model) : items.find((item) => item.default))?.efforts ?? [];
}

/** The names, each with `=`; after the `=`, the whole assignments with each choice. */
function controlValues(rest: string, { session, row }: Completable): string[] {
  const items = row?.controls?.items ?? [];
  const [id] = rest.split("=", 1);
  const control = rest.includes("=") ? items.find((item) => item.id === id) : undefined;
  if (!control) return items.map((item) => `${item.id}=`);
  const found = session.controlChoices?.[control.id] ?? [];
  const choices = new Set([...control.choices.map((choice) => choice.id), ...found, "default"]);
  return [...choices].map((choice) => `${control.id}=${choice}`);
}

/** A single match that takes no value is followed by a space, so that the user can continue. */
function startingWith(replaced: string, candidates: readonly string[]): Completions {
  const matches = [...new Set(candidates)].filter((candidate) => candidate.startsWith(replaced));
  const [only] = matches;
  if (matches.length === 1 && only?.startsWith("/")) return { matches: [`${only} `], replaced };
  return { matches, replaced };
}
