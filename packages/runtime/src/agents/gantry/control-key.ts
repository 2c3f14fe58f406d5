import { createHash, createHmac } from "node:crypto";
import { join } from "node:path";
import type { LaunchOptions, Outbound } from "../contract.ts";
import type { LaunchPart } from "../kit/launch-parts.ts";

const FILE = "control-key";

/**
 * The key with which the daemon signs what it writes to this process. Derived from the launch, so that a restarted daemon
 * has the same one in the decoder's state. Item ids reveal the first eight digits of `uuid`; 90 random bits remain.
 */
export function controlKey({ uuid }: LaunchOptions): string {
  return createHash("sha256").update(`control key of ${uuid}`).digest("hex");
}

/** Hands the key over in a file of the process's folder. Variables and arguments are visible to other processes. */
export function controlKeyFile(options: LaunchOptions): LaunchPart {
  return { files: { [FILE]: controlKey(options) }, env: { GANTRY_CONTROL_KEY_FILE: join(options.dir, FILE) } };
}

/** Adds the signature as the last field. Unchanged for a process that was started without a key. */
export function signFrame(frame: Outbound, key: string | undefined): Outbound {
  if (key === undefined) return frame;
  const msg = frame.msg as Record<string, unknown>;
  const auth = createHmac("sha256", key).update(JSON.stringify(msg)).digest("hex");
  return { ...frame, msg: { ...msg, auth } };
}
