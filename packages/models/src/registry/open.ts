import { type OpenCredentials, openCredentials } from "../credentials/credentials.ts";
import { agentFolder } from "../credentials/environment.ts";
import { createModelRegistry, type FullModelRegistry, type RegistryOptions } from "./registry.ts";

export type OpenModels = { registry: FullModelRegistry; credentials: OpenCredentials; close(): void };

/** Opens the models and the credentials of this machine and connects them. Synchronous: no network access. */
export function openModels(options: RegistryOptions & { env: Record<string, string | undefined> }): OpenModels {
  const agentDir = options.agentDir ?? agentFolder({ ...options.env, GANTRY_HOME: options.home });
  const credentials = openCredentials({ env: options.env, agentDir });
  const registry = createModelRegistry({ ...options, agentDir, credentials });
  credentials.useFallback(registry.keys);
  return {
    registry,
    credentials,
    close() {
      registry.close();
      credentials.close();
    },
  };
}
