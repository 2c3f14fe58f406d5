import type { WhenFlags } from "../../arguments/times.ts";
import type { Context } from "../../program/context.ts";
import send, { type SendFlags } from "./send.ts";

/** `send` into the running turn. */
export default function steer(
  this: Context,
  flags: Omit<SendFlags, "delivery" | keyof WhenFlags>,
  name: string,
  ...words: string[]
): Promise<void> {
  return send.call(this, { ...flags, delivery: "steer" }, name, ...words);
}
