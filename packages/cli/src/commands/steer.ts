import type { Context } from "../context.ts";
import send, { type SendFlags } from "./send.ts";

/** `send` into the running turn. */
export default function steer(
  this: Context,
  flags: Omit<SendFlags, "delivery">,
  name: string,
  ...words: string[]
): Promise<void> {
  return send.call(this, { ...flags, delivery: "steer" }, name, ...words);
}
