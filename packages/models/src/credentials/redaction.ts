import type { Environment } from "./environment.ts";
import { KEY_VARIABLES } from "./environment.ts";

const OWN_VARIABLES = ["GANTRY_AUTH_BROKER_TOKEN", "GANTRY_GOOGLE_CLIENT_SECRET"];
const SECRET_VARIABLES = new Set([...Object.values(KEY_VARIABLES).flat(), ...OWN_VARIABLES]);
const SHORTEST = 8;

/** Formats that are secrets wherever they occur. Each pattern runs in linear time: adjacent parts never overlap. */
const SHAPES: readonly RegExp[] = [
  /\b(?:sk|pk|rk)-[A-Za-z0-9_-]{16,}/g,
  /\b(?:gh[oprsu]_|github_pat_)[A-Za-z0-9_]{20,}/g,
  /\bglpat-[A-Za-z0-9_-]{16,}/g,
  /\bxox[abeoprs]-[A-Za-z0-9-]{10,}/g,
  /\bAIza[A-Za-z0-9_-]{30,}/g,
  /\bya29\.[A-Za-z0-9_-]{16,}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\b(?:hf|gsk|xai|nvapi)[_-][A-Za-z0-9_-]{20,}/g,
  /\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}/g,
  /(?<=\bBearer )[A-Za-z0-9._~+/=-]{12,}/gi,
];

const known = new Set<string>();

/** Registers a secret of this process: `redact` removes it, and `withoutSecrets` hides it from child processes. */
export function rememberSecret(value: string): void {
  if (value.length >= SHORTEST) known.add(value);
}

/** The secrets that this process has resolved so far. */
export function resolvedSecrets(): readonly string[] {
  return [...known];
}

/** Replaces the secrets that this process has resolved, and everything that has the format of one. */
export function redact(text: string): string {
  let out = text;
  for (const value of [...known].sort((a, b) => b.length - a.length)) out = out.replaceAll(value, "[secret]");
  for (const shape of SHAPES) out = out.replace(shape, "[secret]");
  return out;
}

/**
 * The environment for a child process, without the variables of providers' keys and without any variable that holds a
 * resolved secret. `keep` lists exceptions. AWS and Google variables stay, because other programs need them.
 */
export function withoutSecrets(env: Environment, keep: readonly string[] = []): Record<string, string> {
  const out: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined) continue;
    if (!keep.includes(name) && (SECRET_VARIABLES.has(name) || known.has(value.trim()))) continue;
    out[name] = value;
  }
  return out;
}
