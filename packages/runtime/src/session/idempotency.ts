import { createHash } from "node:crypto";
import { GantryError, type Sent } from "@gantry/protocol";

/** A request as a short text: the same for the same content, whatever the order of its keys. */
export function requestHash(value: unknown): string {
  return createHash("sha256").update(stable(value)).digest("hex");
}

/** What is stored with an admitted message, so that the same request again gets the same answer. */
export function encodeReply(hash: string, sent: Sent): string {
  return `${hash} ${JSON.stringify(sent)}`;
}

/** The first answer once more. Throws `conflict` when the id was used with another content. */
export function replayReply(id: string, receipt: string, hash: string): Sent {
  const space = receipt.indexOf(" ");
  if (receipt.slice(0, space) === hash) return JSON.parse(receipt.slice(space + 1)) as Sent;
  throw new GantryError("conflict", `${id} was sent already with another content.`, {
    remedy: "Use another id, or leave it out.",
  });
}

function stable(value: unknown): string {
  return JSON.stringify(value, (_, entry) =>
    entry && typeof entry === "object" && !Array.isArray(entry)
      ? Object.fromEntries(Object.entries(entry).sort(([a], [b]) => (a < b ? -1 : 1)))
      : entry,
  );
}
