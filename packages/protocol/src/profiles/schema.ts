import { z } from "zod";

/** A mistake in a file that a person wrote. */
export const Mistake = z.object({ line: z.number().int().min(1), message: z.string() });

export type Mistake = z.infer<typeof Mistake>;

/** A local profile: an agent of the user's own, as its file is. `id` is the file's name. */
export const ProfileRow = z.object({
  id: z.string(),
  path: z.string(),
  text: z.string(),
  /** Empty when it can be used. */
  problems: z.array(Mistake),
});

export type ProfileRow = z.infer<typeof ProfileRow>;
