/** The four groups of sessions, in the order of every list. */
export const sessionGroups = ["needs_you", "working", "held", "done"] as const;

export type SessionGroup = (typeof sessionGroups)[number];

export const groupNames: Record<SessionGroup, string> = {
  needs_you: "Needs you",
  working: "Working",
  held: "Held",
  done: "Done",
};
