import { z } from "zod";
import { AgentId } from "../ids/schema.ts";

/** An error in a file that a person wrote. */
export const Mistake = z.object({ line: z.number().int().min(1), message: z.string() });

export type Mistake = z.infer<typeof Mistake>;

/** A local profile: a user-defined agent with its file. `id` is the file's name. */
export const ProfileRow = z.object({
  id: z.string(),
  path: z.string(),
  text: z.string(),
  /** Empty if the profile is valid. */
  problems: z.array(Mistake),
});

export type ProfileRow = z.infer<typeof ProfileRow>;

/** An agent of the public ACP registry, which can be added as a local profile. */
export const AvailableAgent = z.object({
  id: AgentId,
  name: z.string(),
  version: z.string(),
  description: z.string(),
  license: z.string(),
  website: z.string(),
  /** Where its program comes from: a package, or a download from the website. */
  from: z.enum(["npm", "uv", "website"]),
  /** The command that installs the package. */
  install: z.string().optional(),
  /** The text of its profile. */
  profile: z.string(),
  /** The agent of Gantry that drives the same program, better than a profile could. */
  builtIn: AgentId.optional(),
  /** A profile with this id exists. */
  added: z.boolean(),
});

export type AvailableAgent = z.infer<typeof AvailableAgent>;
