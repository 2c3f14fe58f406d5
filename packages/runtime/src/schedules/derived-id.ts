import { createHash } from "node:crypto";
import { type IdKind, makeIds } from "@gantry/protocol";

/** An id that looks like any other and is always the same for the same key: whatever is done twice under it is done once. */
export function derivedId(kind: IdKind, at: number, key: string): string {
  const bytes = createHash("sha256").update(key).digest();
  let used = 0;
  return makeIds(
    () => at,
    () => (bytes[used++ % bytes.length] ?? 0) / 256,
  )(kind);
}
