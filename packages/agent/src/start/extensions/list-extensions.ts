import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { agentFolder, gantryFolder, writeListSetting } from "@gantry/models";
import { SessionError } from "../../contract/session.ts";
import { hasExtensions } from "../../extensions/discovery/places.ts";
import type { ExtensionRow } from "../../extensions/list.ts";
import { loadSettings } from "../../settings/load.ts";
import { formatProblem } from "../shared.ts";

export type ExtensionPlaceOptions = {
  env: Record<string, string | undefined>;
  cwd: string;
  extensions?: readonly string[] | undefined;
};

/**
 * All extensions of a folder with what they add. Loads those of the user and the trusted ones, because only their code
 * knows what it registers; nothing else of them runs.
 */
export async function listExtensions({ env, cwd: folder, extensions: more = [] }: ExtensionPlaceOptions) {
  const cwd = resolve(folder);
  const agentDir = agentFolder(env);
  const place = { agentDir, cwd, home: env.HOME ?? homedir(), gantryHome: gantryFolder(env) };
  const { settings, problems } = await loadSettings({ agentDir, cwd });
  const wanted = { ...settings, extensions: [...settings.extensions, ...more] };
  const reported = problems.map(formatProblem);
  if (!hasExtensions(place, wanted)) return { extensions: [] as ExtensionRow[], problems: reported };
  const { ExtensionHost } = await import("../../extensions/host.ts");
  const host = await ExtensionHost.open({ ...place, env, folders: [], readSettings: async () => wanted });
  const extensions = host.list();
  await host.close();
  return { extensions, problems: [...reported, ...host.problems] };
}

/** Stores in config.yml whether an extension is used. Throws a `SessionError` if there is none of this name. */
export async function setExtensionEnabled(
  options: ExtensionPlaceOptions,
  name: string,
  isEnabled: boolean,
): Promise<{ file: string }> {
  const agentDir = agentFolder(options.env);
  const file = join(agentDir, "config.yml");
  const { settings } = await loadSettings({ agentDir, cwd: options.cwd });
  const disabled = settings.disabledExtensions.filter((each) => each !== name);
  const { extensions } = await listExtensions(options);
  const isKnown = extensions.some((row) => row.name === name) || disabled.length < settings.disabledExtensions.length;
  if (!isKnown) {
    const names = extensions.map((row) => row.name).join(", ") || "none";
    throw new SessionError(`There is no extension ${name}. Known: ${names}.`);
  }
  const written = writeListSetting(file, "disabledExtensions", isEnabled ? disabled : [...disabled, name]);
  if (!written.ok) throw new SessionError(written.message);
  return { file };
}
