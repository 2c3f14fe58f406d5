/** Prefixes of every id that crosses a boundary. */
export const idPrefixes = {
  session: "ses",
  turn: "trn",
  item: "itm",
  input: "inp",
  message: "msg",
  lane: "lan",
  grant: "gra",
  process: "prc",
  launch: "lau",
  terminal: "trm",
  preview: "prv",
  job: "job",
  schedule: "sch",
  handoff: "hnd",
  limit: "lim",
} as const;

export type IdKind = keyof typeof idPrefixes;

/** May a user name this model when the agent's own list does not know it? */
export function isPlainModel(id: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._/:@[\]-]{0,199}$/.test(id);
}
