import { z } from "zod";
import { AgentId, ModelId, SessionId } from "../ids/schema.ts";
import { KitName } from "../kit/schema.ts";
import { Mode } from "../modes/schema.ts";
import { Mistake } from "../profiles/schema.ts";

/** Lower-case letters, digits, - and _: it is the name of a folder. */
export const IdentityName = KitName;

/** A lead gives work to others, a worker does it. It says so to the agent and groups lists; it allows nothing. */
export const IdentityRole = z.enum(["lead", "worker"]);

const settings = {
  title: z.string().trim().min(1).max(200).optional(),
  description: z.string().trim().max(2000).optional(),
  role: IdentityRole.default("worker"),
  agent: AgentId,
  model: ModelId.optional(),
  /** Nobody runs on a higher rung than `ask` without having been told to. */
  mode: Mode.default("ask"),
  effort: z
    .string()
    .regex(/^[a-z]{1,20}$/, "must be a word such as low, medium or high")
    .optional(),
  /** Where it works; without one, in a folder of its own. */
  cwd: z.string().max(4096).startsWith("/", "must be an absolute path").optional(),
};

/** `identity.yml`. `name` repeats the name of its folder, where it is given. */
export const IdentityFile = z.strictObject({ name: IdentityName.optional(), ...settings });

export type IdentityFile = z.infer<typeof IdentityFile>;

/** The name of a file of memory. */
export const MemoryName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}\.md$/, "must be the name of a Markdown file, such as notes.md");

/** What an identity is made of. Persona and memory stay as they are where nothing is said of them. */
export const PutIdentity = z.strictObject({
  ...settings,
  persona: z.string().max(100_000).optional(),
  /** Files of memory by their names; `null` removes one. */
  memory: z.record(MemoryName, z.string().max(1_000_000).nullable()).optional(),
});

export type PutIdentity = z.infer<typeof PutIdentity>;

export const MemoryFile = z.object({
  name: z.string(),
  /** In characters. */
  size: z.number().int(),
  updatedAt: z.iso.datetime(),
  /** Is all of it told to the agent? Else only its beginning, with a word that there is more. */
  whole: z.boolean(),
});

export type MemoryFile = z.infer<typeof MemoryFile>;

/** An identity in a list. `session` is its one session, once it has had a message. */
export const IdentityRow = z.object({
  name: IdentityName,
  ...settings,
  folder: z.string(),
  memory: z.array(MemoryFile),
  session: SessionId.optional(),
  state: z.enum(["idle", "running", "waiting", "limited", "ended"]).optional(),
});

export type IdentityRow = z.infer<typeof IdentityRow>;

/** One identity with what it is told. */
export const Identity = IdentityRow.extend({
  persona: z.string(),
  memory: z.array(MemoryFile.extend({ text: z.string() })),
});

export type Identity = z.infer<typeof Identity>;

/** An identity whose `identity.yml` has mistakes. */
export const BrokenIdentity = z.object({ name: z.string(), path: z.string(), problems: z.array(Mistake) });

export type BrokenIdentity = z.infer<typeof BrokenIdentity>;
