import { z } from "zod";

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
