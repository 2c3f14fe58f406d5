/** The prefixes of all public ids. */
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
  comment: "cmt",
  subscription: "psb",
  project: "prj",
} as const;

export type IdKind = keyof typeof idPrefixes;

/** Whether a user may name this model although the agent does not list it. */
export function isPlainModel(id: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._/:@[\]-]{0,199}$/.test(id);
}
