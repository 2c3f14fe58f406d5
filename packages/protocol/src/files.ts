import { z } from "zod";

/** An absolute path of the daemon's machine. */
export const AbsolutePath = z
  .string()
  .max(4096)
  .regex(/^\/[^\0]*$/, "must be an absolute path");

/** A file or folder, by its path from the folder that was searched. */
export const FoundPath = z.object({ path: z.string(), kind: z.enum(["file", "folder"]) });
export type FoundPath = z.infer<typeof FoundPath>;

/** The best first. `truncated`: there are more that fit, or the folder has more files than were looked at. */
export const FoundPaths = z.object({ files: z.array(FoundPath), truncated: z.boolean() });
export type FoundPaths = z.infer<typeof FoundPaths>;
