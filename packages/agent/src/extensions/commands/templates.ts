import { openTrustStore, realPath } from "@gantry/trust";
import { discoverExtensions } from "../discovery/discover.ts";
import type { ExtensionPlace } from "../discovery/places.ts";
import type { ExtensionSettings } from "../load/extension-set.ts";
import { type MarkdownCommand, readMarkdownCommands } from "./markdown.ts";

/** The Markdown commands that a session in this place offers: the user's, and those of a trusted project. Runs nothing. */
export async function readTemplates(
  place: ExtensionPlace & { gantryHome: string },
  settings: ExtensionSettings,
): Promise<MarkdownCommand[]> {
  const store = openTrustStore(place.gantryHome, place.agentDir);
  const used = discoverExtensions(place, settings).filter(
    ({ kind, name, item, problem }) =>
      kind === "commands" &&
      problem === undefined &&
      !settings.disabledExtensions.includes(name) &&
      (!item || store.covers(realPath(place.cwd), [item])),
  );
  const all = (await Promise.all(used.map(readMarkdownCommands))).flat();
  return all.filter(({ name }, index) => all.findIndex((each) => each.name === name) === index);
}
