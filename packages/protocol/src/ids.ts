import { z } from "zod";

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

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

/**
 * Makes time-ordered ids: `<prefix>_<10 characters of time><12 of randomness>`. `random` gives numbers in [0, 1).
 * Two ids made in the same millisecond by one maker are still in order.
 */
export function makeIds(now: () => number, random: () => number): (kind: IdKind) => string {
  let last = 0;
  let counter = 0;
  return (kind) => {
    const time = now();
    counter = time === last ? counter + 1 : 0;
    last = time;
    let tail = base32(counter, 2);
    for (let i = 0; i < 10; i++) tail += ALPHABET[Math.floor(random() * 32)];
    return `${idPrefixes[kind]}_${base32(time, 10)}${tail}`;
  };
}

function base32(value: number, length: number): string {
  let text = "";
  let rest = value;
  for (let i = 0; i < length; i++) {
    text = ALPHABET[rest % 32] + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

const idPattern = (kind: IdKind) => new RegExp(`^${idPrefixes[kind]}_[A-Za-z0-9_.:#-]{1,200}$`);
const idSchema = (kind: IdKind, what: string) =>
  z.string().regex(idPattern(kind), `must be ${what} id, ${idPrefixes[kind]}_…`);

export const SessionId = idSchema("session", "a session");
export const TurnId = idSchema("turn", "a turn");
export const ItemId = idSchema("item", "an item");
export const InputId = idSchema("input", "an input");
export const MessageId = idSchema("message", "a message");
export const GrantId = idSchema("grant", "a grant");
export const LaneId = idSchema("lane", "a lane");
export const LaunchId = idSchema("launch", "a launch");
export const ScheduleId = idSchema("schedule", "a schedule");
export const HandoffId = idSchema("handoff", "a handoff");
export const JobId = idSchema("job", "a job");
export const LimitId = idSchema("limit", "a limit");
export const TerminalId = idSchema("terminal", "a terminal");
export const PreviewId = idSchema("preview", "a preview");
export const AgentId = z.string().regex(/^[a-z][a-z0-9-]{0,39}$/, "must be an agent id such as claude");

/**
 * A model by its name. It ends up on command lines, so it is narrow; and a name with options in it, such as
 * `opus[effort=high]`, only an agent may give: see `isPlainModel`.
 */
export const ModelId = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._/:@[\]=,-]{0,199}$/, "must be a model id: letters, digits and . _ / : @ [ ] = , -");

/** May a user name this model when the agent's own list does not know it? */
export function isPlainModel(id: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._/:@[\]-]{0,199}$/.test(id);
}
