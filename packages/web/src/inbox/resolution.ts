import type { Decision, Envelope } from "@gantry/protocol";

/** How an input was settled, from its event. */
export type Resolution = Envelope<"input.resolved">["data"];

const decisions: Record<Decision, string> = {
  allow: "allowed",
  allow_session: "allowed for this session",
  deny: "denied",
  cancel: "withdrawn",
};

/** The outcome of an input for its card, for example `Allowed` or `Denied: use tabs`. */
export function resolutionText(resolution: Resolution): string {
  const text = `${decisions[resolution.decision]}${settledBy(resolution)}${explanation(resolution)}`;
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The outcome, as shown to a user that was about to answer. */
export function answeredElsewhereText(resolution: Resolution): string {
  const by = resolution.by === "user" ? " by you in another window or client" : settledBy(resolution);
  return `Answered elsewhere: ${decisions[resolution.decision]}${by}${explanation(resolution)}`;
}

/** The resolution in the details of a refused answer. */
export function parseResolution(details: unknown): Resolution | undefined {
  const found = details as Partial<Resolution> | undefined;
  return found?.decision && found.by ? (found as Resolution) : undefined;
}

function settledBy({ by }: Resolution): string {
  if (by.startsWith("grant:")) return " by a permission you granted";
  if (by === "agent") return " by the agent";
  if (by.startsWith("session:")) return " by its lead";
  return by === "gantry" ? " because the agent no longer waits for it" : "";
}

function explanation({ message, reason }: Resolution): string {
  const text = message ?? reason;
  return text ? `: ${text}` : "";
}
