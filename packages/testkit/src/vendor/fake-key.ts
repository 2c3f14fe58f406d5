import { randomBytes } from "node:crypto";

/** Long and unique, so that an agent which hides its key in what it prints hides nothing else. */
export function fakeKey(prefix: string): string {
  return `${prefix}-${randomBytes(24).toString("hex")}`;
}
