import { createHash } from "node:crypto";

/** The UUID of a user message, derived from our id: Claude Code deduplicates messages by UUID. */
export function messageUuid(message: string): string {
  const bytes = createHash("sha1").update(`gantry message ${message}`).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
