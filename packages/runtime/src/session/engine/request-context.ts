import { GantryError } from "@gantry/protocol";
import type { SessionStep } from "./step.ts";

/** Asks the agent what fills its context. Throws `unsupported`, or `conflict` if no process is ready to answer. */
export function requestContext(step: SessionStep): { requested: true } {
  const { name } = step.context.agent;
  const result = step.sendCommand({ type: "context" });
  if (result === "sent") return { requested: true };
  if (result === "unsupported") {
    const message = `${name} does not report what fills its context.`;
    throw new GantryError("unsupported", message, { remedy: "The session shows how full it is." });
  }
  throw new GantryError("conflict", `${name} is not running in this session.`, {
    remedy: "Send a message first. Its process answers until it is released.",
  });
}
