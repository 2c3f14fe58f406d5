import type { ModelBindings } from "../config/schema.ts";
import { PROFILE_ROLES } from "../config/schema.ts";
import type { ModelSettings } from "../config/settings-file.ts";

/**
 * The selector of a role: from the active profile, then config.yml, then models.yml. Unset profile roles use the default
 * role.
 */
export function roleSelector(
  name: string,
  profile: Record<string, string>,
  settings: ModelSettings,
  bindings: ModelBindings,
): string | undefined {
  const layers = [
    profile,
    settings.modelRoles,
    settings.agentModelOverrides,
    bindings.agentModelOverrides,
    bindings.modelRoles,
  ];
  for (const layer of layers) if (layer && Object.hasOwn(layer, name)) return layer[name];
  return name !== "default" && (PROFILE_ROLES as readonly string[]).includes(name) ? "gantry/default" : undefined;
}
