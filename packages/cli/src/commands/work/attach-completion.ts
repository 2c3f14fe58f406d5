import type { AgentRow, Command, Session } from "@gantry/protocol";
import { ladder } from "@gantry/protocol";
import type { SlashItem } from "@gantry/terminal/toolkit";
import { COMMANDS } from "./attach-line.ts";

/** What can be completed in an attached session. `row` is absent until the daemon answered. */
export type Completable = {
  session: Pick<Session, "model" | "controlChoices"> & Partial<Pick<Session, "agent" | "mode">>;
  row?: Pick<AgentRow, "modes" | "models" | "controls">;
  commands: readonly Command[];
};

/** The `/` menu: the commands of `attach` with their values, then the agent's own commands. */
export function slashItems(known: Completable): SlashItem[] {
  const own = COMMANDS.map(({ name, hint, about }) => ({
    name: name.slice(1),
    description: about,
    ...(hint ? { hint } : {}),
    values: () => settingValues(name, known).map((value) => ({ value })),
  }));
  const names = new Set(own.map(({ name }) => name));
  const theirs = known.commands
    .filter(({ name }) => !names.has(name))
    .map(({ name, description, hint }) => ({
      name,
      ...(description ? { description } : {}),
      ...(hint ? { hint } : {}),
    }));
  return [...own, ...theirs];
}

function settingValues(command: string, known: Completable): readonly string[] {
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
      return controlValues(known);
    case "/tasks":
      return ["stop "];
    case "/send":
      return known.commands.map(({ name }) => `/${name}`);
    default:
      return [];
  }
}

function effortsOf({ session: { model }, row }: Completable): readonly string[] {
  const items = row?.models.items ?? [];
  return (model ? items.find(({ id }) => id === model) : items.find((item) => item.default))?.efforts ?? [];
}

/** Every assignment of a control. */
function controlValues({ session, row }: Completable): string[] {
  return (row?.controls?.items ?? []).flatMap(({ id, choices }) => {
    const all = new Set([...choices.map((choice) => choice.id), ...(session.controlChoices?.[id] ?? []), "default"]);
    return [...all].map((choice) => `${id}=${choice}`);
  });
}
