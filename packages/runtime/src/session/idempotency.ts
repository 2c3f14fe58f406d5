import { createHash } from "node:crypto";
import { GantryError, type Sent } from "@gantry/protocol";

/** A hash of a request that does not depend on the order of its keys. */
export function requestHash(value: unknown): string {
  return createHash("sha256").update(stable(value)).digest("hex");
}

/** What is stored with an admitted message, so that a repeated request gets the same reply. */
export function encodeReply(hash: string, sent: Sent): string {
  return `${hash} ${JSON.stringify(sent)}`;
}

/** The stored reply of a repeated request. Throws `conflict` if the id was used with other content. */
export function replayReply(id: string, stored: string, hash: string): Sent {
  const space = stored.indexOf(" ");
  if (stored.slice(0, space) === hash) return JSON.parse(stored.slice(space + 1)) as Sent;
  throw new GantryError("conflict", `${id} was sent already with other content.`, {
    remedy: "Use another id, or omit it.",
  });
}

function stable(value: unknown): string {
  return JSON.stringify(value, (_, entry) =>
    entry && typeof entry === "object" && !Array.isArray(entry)
      ? Object.fromEntries(Object.entries(entry).sort(([a], [b]) => (a < b ? -1 : 1)))
      : entry,
  );
}
