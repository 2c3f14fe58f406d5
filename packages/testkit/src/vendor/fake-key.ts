import { randomBytes } from "node:crypto";

/** Long and unique, so that an agent that redacts its key in its output redacts nothing else. */
export function fakeKey(prefix: string): string {
  return `${prefix}-${randomBytes(24).toString("hex")}`;
}
