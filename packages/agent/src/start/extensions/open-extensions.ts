import type { ConfigKeys, FullModelRegistry } from "@gantry/models";
import { type ExtensionPlace, hasExtensions } from "../../extensions/discovery/places.ts";
import type { ExtensionHost } from "../../extensions/host.ts";
import { loadSettings } from "../../settings/load.ts";
import type { Settings } from "../../settings/schema.ts";
import type { AgentOptions } from "../options.ts";

type Place = ExtensionPlace & { gantryHome: string };

/** Loads the extensions, if there are any, and adds their models to the registry, unless it is a program's. Never rejects because of one. */
export async function openExtensions(
  options: AgentOptions,
  place: Place,
  settings: Settings,
  registry: FullModelRegistry,
): Promise<ExtensionHost | undefined> {
  const chosen = ({ extensions, disabledExtensions, claudeFiles }: Settings) => {
    return { extensions: [...extensions, ...(options.extensions ?? [])], disabledExtensions, claudeFiles };
  };
  if (options.noExtensions || !hasExtensions(place, chosen(settings))) return undefined;
  const { ExtensionHost: Host } = await import("../../extensions/host.ts");
  const { env, folders = [], ui, showCommand, onExtensionFailure, supplied } = options;
  const readSettings = async () => chosen((supplied?.settings ?? (await loadSettings(place))).settings);
  const shown = { ui, show: showCommand, onFailure: onExtensionFailure };
  const isEmbedded = supplied !== undefined;
  const host = await Host.open({ ...place, env, folders, readSettings, isEmbedded, ...shown });
  host.attachRegistry(registry, { addModels: !supplied?.registry });
  return host;
}

/** Keys that extensions supply come before those of models.yml. */
export function withExtensionKeys(keys: ConfigKeys, ours: Pick<ConfigKeys, "has" | "key">): ConfigKeys {
  return {
    has: (provider) => ours.has(provider) || keys.has(provider),
    key: (provider, signal) => (ours.has(provider) ? ours.key(provider, signal) : keys.key(provider, signal)),
    peek: (provider) => keys.peek(provider),
  };
}
