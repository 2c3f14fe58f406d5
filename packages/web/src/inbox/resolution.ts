import type { Decision, Envelope } from "@gantry/protocol";

/** How an input was settled, as its event tells it. */
export type Resolution = Envelope<"input.resolved">["data"];

const decisions: Record<Decision, string> = {
  allow: "allowed",
  allow_session: "allowed for this session",
  deny: "denied",
  cancel: "withdrawn",
};

/** What became of an input, for its card: `Allowed`, `Denied: use tabs`. */
export function resolutionText(resolution: Resolution): string {
  const text = `${decisions[resolution.decision]}${settler(resolution)}${words(resolution)}`;
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The same for someone who was about to answer it. */
export function elsewhereText(resolution: Resolution): string {
  const by = resolution.by === "user" ? " by you in another window or client" : settler(resolution);
  return `Answered elsewhere: ${decisions[resolution.decision]}${by}${words(resolution)}`;
}

/** The resolution that a refused answer carries in its details. */
export function resolutionIn(details: unknown): Resolution | undefined {
  const found = details as Partial<Resolution> | undefined;
  return found?.decision && found.by ? (found as Resolution) : undefined;
}

function settler({ by }: Resolution): string {
  if (by.startsWith("grant:")) return " by a standing permission";
  if (by === "agent") return " by the agent";
  return by === "gantry" ? " because nobody waits for it any more" : "";
}

function words({ message, reason }: Resolution): string {
  const said = message ?? reason;
  return said ? `: ${said}` : "";
}
