/** Limits of a session's comments. They are part of its view, which every commit stores. */
export const COMMENT_LIMITS = { unresolved: 100, resolved: 20, characters: 60_000, quote: 600 } as const;
