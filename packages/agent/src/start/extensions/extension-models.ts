import { homedir } from "node:os";
import { agentFolder, type FullModelRegistry, gantryFolder } from "@gantry/models";
import { hasExtensions } from "../../extensions/discovery/places.ts";
import { loadSettings } from "../../settings/load.ts";

type Options = { env: Record<string, string | undefined>; cwd: string };

/**
 * Adds the models of the user's and the trusted extensions to a registry, for programs that list models without a session.
 * Returns what went wrong. Never rejects because of an extension.
 */
export async function addExtensionModels(registry: FullModelRegistry, { env, cwd }: Options): Promise<string[]> {
  const agentDir = agentFolder(env);
  const place = { agentDir, cwd, home: env.HOME ?? homedir(), gantryHome: gantryFolder(env) };
  const { settings } = await loadSettings(place);
  if (!hasExtensions(place, settings)) return [];
  const { ExtensionHost } = await import("../../extensions/host.ts");
  const host = await ExtensionHost.open({ ...place, env, folders: [], readSettings: async () => settings });
  host.attachRegistry(registry);
  await host.close();
  return host.problems;
}
