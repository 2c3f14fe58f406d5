import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { z } from "zod";
import type { Environment } from "../environment.ts";
import { CredentialError } from "../stored-credential.ts";
import type { BrokerAddress } from "./client.ts";

const Config = z.object({
  auth: z
    .object({ broker: z.object({ url: z.string().optional(), token: z.string().optional() }).optional() })
    .optional(),
});

/**
 * The broker that the environment or `config.yml` configures; each environment variable overrides its setting. Throws a
 * `CredentialError` for an incomplete address: Gantry must not fall back to the local store silently.
 */
export function brokerAddress(env: Environment, agentDir: string): BrokerAddress | undefined {
  const settings = readConfig(join(agentDir, "config.yml"));
  const url = env.GANTRY_AUTH_BROKER_URL || settings?.url;
  const token = env.GANTRY_AUTH_BROKER_TOKEN || settings?.token;
  if (!url) return undefined;
  const parsed = URL.parse(url);
  if (parsed?.protocol !== "http:" && parsed?.protocol !== "https:")
    throw new CredentialError(`The broker's URL is invalid: ${url}`);
  if (!token) throw new CredentialError("A broker is configured without a token. Set GANTRY_AUTH_BROKER_TOKEN.");
  return { url, token };
}

function readConfig(file: string): { url?: string; token?: string } | undefined {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
  // Most files do not mention a broker, and the parser takes time to load.
  if (!text.includes("broker")) return undefined;
  const { parse } = createRequire(import.meta.url)("yaml") as typeof import("yaml");
  try {
    return Config.parse(parse(text)).auth?.broker;
  } catch {
    throw new CredentialError(`${file} configures a broker but is invalid. Correct the file.`);
  }
}
