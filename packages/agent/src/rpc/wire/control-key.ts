import { createHmac, timingSafeEqual } from "node:crypto";
import { readFileSync } from "node:fs";

/** Names the file with the key of this launch. The daemon sets it; other RPC clients do not. */
export const CONTROL_KEY_FILE = "GANTRY_CONTROL_KEY_FILE";

const SIGNATURE = /,"auth":"([0-9a-f]{64})"\}\s*$/;

/**
 * Checks that a line comes from the daemon, which signs each line with the key of this launch. Any process that finds the
 * stdin of an agent can write to it, but only the daemon and this process know the key: it lies in a file that the
 * sandbox hides, and in no variable or argument.
 */
export type LineCheck = (line: string) => boolean;

/** `undefined` without a key file: a client that started this process itself owns its stdin. Throws if it is unreadable. */
export function lineCheck(env: Readonly<Record<string, string | undefined>>): LineCheck | undefined {
  const file = env[CONTROL_KEY_FILE];
  if (!file) return undefined;
  const key = readFileSync(file, "utf8").trim();
  if (key.length < 32) throw new Error(`${file} contains no key. Start the session again.`);
  return (line) => {
    const found = SIGNATURE.exec(line);
    if (!found) return false;
    const expected = createHmac("sha256", key)
      .update(`${line.slice(0, found.index)}}`)
      .digest();
    return timingSafeEqual(expected, Buffer.from(found[1] ?? "", "hex"));
  };
}
