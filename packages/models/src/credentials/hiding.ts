import type { Environment } from "./agent-folder.ts";
import { KEY_VARIABLES } from "./environment.ts";

const OWN_VARIABLES = ["GANTRY_AUTH_BROKER_TOKEN", "GANTRY_GOOGLE_CLIENT_SECRET"];
const SECRET_VARIABLES = new Set([...Object.values(KEY_VARIABLES).flat(), ...OWN_VARIABLES]);
const SHORTEST = 8;

/** Shapes that are keys wherever they stand. Each is linear: no part can match what its neighbour matches. */
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

/** From now on this value is a secret of this process: `redact` takes it out, `withoutSecrets` keeps it from children. */
export function rememberSecret(value: string): void {
  if (value.length >= SHORTEST) known.add(value);
}

/** What was remembered so far: keys and tokens that this process has resolved. */
export function resolvedSecrets(): readonly string[] {
  return [...known];
}

/** The text without keys and tokens: those that were resolved in this process, and whatever has the shape of one. */
export function redact(text: string): string {
  let out = text;
  for (const value of [...known].sort((a, b) => b.length - a.length)) out = out.replaceAll(value, "[secret]");
  for (const shape of SHAPES) out = out.replace(shape, "[secret]");
  return out;
}

/**
 * The environment for a child process: without the variables that hold providers' keys, and without any that holds a
 * value which was resolved here. `keep` names those that are wanted nevertheless. AWS's and Google's own variables stay,
 * because other programs need them.
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
