import { z } from "zod";
import { ControlValues } from "../controls/schema.ts";
import { AgentId, ModelId, SessionId } from "../ids/schema.ts";
import { KitName } from "../kit/schema.ts";
import { Mode } from "../modes/schema.ts";
import { Mistake } from "../profiles/schema.ts";

/** Lower-case letters, digits, - and _; it names a folder. */
export const IdentityName = KitName;

/** A lead delegates work, a worker does it. The role is part of the prompt and groups lists; it grants no permission. */
export const IdentityRole = z.enum(["lead", "worker"]);

const settings = {
  title: z.string().trim().min(1).max(200).optional(),
  description: z.string().trim().max(2000).optional(),
  role: IdentityRole.default("worker"),
  agent: AgentId,
  model: ModelId.optional(),
  /** A mode above `ask` must be requested explicitly. */
  mode: Mode.default("ask"),
  effort: z
    .string()
    .regex(/^[a-z]{1,20}$/, "must be a word such as low, medium or high")
    .optional(),
  /** Native controls of the agent, by id. */
  controls: ControlValues.optional(),
  /** The working folder; the default is a dedicated folder. */
  cwd: z.string().max(4096).startsWith("/", "must be an absolute path").optional(),
};

/** `identity.yml`. `name`, if present, equals the folder's name. */
export const IdentityFile = z.strictObject({ name: IdentityName.optional(), ...settings });

export type IdentityFile = z.infer<typeof IdentityFile>;

/** The name of a memory file. */
export const MemoryName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}\.md$/, "must be the name of a Markdown file, such as notes.md");

/** The settings of an identity. Omitted persona and memory stay unchanged. */
export const PutIdentity = z.strictObject({
  ...settings,
  persona: z.string().max(100_000).optional(),
  /** Memory files by name; `null` deletes one. */
  memory: z.record(MemoryName, z.string().max(1_000_000).nullable()).optional(),
});

export type PutIdentity = z.infer<typeof PutIdentity>;

export const MemoryFile = z.object({
  name: z.string(),
  /** In characters. */
  size: z.number().int(),
  updatedAt: z.iso.datetime(),
  /** Whether the prompt contains all of it. Otherwise it contains the beginning and a note that there is more. */
  whole: z.boolean(),
});

export type MemoryFile = z.infer<typeof MemoryFile>;

/** An identity in a list. `session` is its session; it exists after the first message. */
export const IdentityRow = z.object({
  name: IdentityName,
  ...settings,
  folder: z.string(),
  memory: z.array(MemoryFile),
  session: SessionId.optional(),
  state: z.enum(["idle", "running", "waiting", "limited", "ended"]).optional(),
});

export type IdentityRow = z.infer<typeof IdentityRow>;

/** An identity with its persona and the text of its memory. */
export const Identity = IdentityRow.extend({
  persona: z.string(),
  memory: z.array(MemoryFile.extend({ text: z.string() })),
});

export type Identity = z.infer<typeof Identity>;

/** An identity whose `identity.yml` is invalid. */
export const BrokenIdentity = z.object({ name: z.string(), path: z.string(), problems: z.array(Mistake) });

export type BrokenIdentity = z.infer<typeof BrokenIdentity>;
