import { createHash } from "node:crypto";
import { type IdKind, makeIds } from "@gantry/protocol";

/** A deterministic id for a key, in the usual format. Using it makes an operation idempotent. */
export function derivedId(kind: IdKind, at: number, key: string): string {
  const bytes = createHash("sha256").update(key).digest();
  let used = 0;
  return makeIds(
    () => at,
    () => (bytes[used++ % bytes.length] ?? 0) / 256,
  )(kind);
}
