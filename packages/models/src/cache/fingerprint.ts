import { createHash } from "node:crypto";
import type { Model } from "../model.ts";

const known = new WeakMap<readonly Model[], string>();

/** What tells one catalogue's models of a provider from another's. Worked out once for an array, which must not change. */
export function fingerprint(models: readonly Model[]): string {
  const before = known.get(models);
  if (before !== undefined) return before;
  const made = createHash("sha256").update(JSON.stringify(models)).digest("base64url").slice(0, 16);
  known.set(models, made);
  return made;
}
