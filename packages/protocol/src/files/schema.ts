import { z } from "zod";

/** An absolute path of the daemon's machine. */
export const AbsolutePath = z
  .string()
  .max(4096)
  .regex(/^\/[^\0]*$/, "must be an absolute path");

/** A file or folder, by its path from the folder that was searched. */
export const FoundPath = z.object({ path: z.string(), kind: z.enum(["file", "folder"]) });

export type FoundPath = z.infer<typeof FoundPath>;

const folder = { path: z.string(), /** Is it a git repository? */ git: z.boolean() };

/** What there is to pick from: the folders inside of `path`, and those that sessions worked in last. */
export const FolderList = z.object({
  path: z.string(),
  parent: z.string().optional(),
  home: z.string(),
  folders: z.array(z.object({ name: z.string(), ...folder })),
  recent: z.array(z.object(folder)),
});

export type FolderList = z.infer<typeof FolderList>;

/** The best first. `truncated`: there are more that fit, or the folder has more files than were looked at. */
export const FoundPaths = z.object({ files: z.array(FoundPath), truncated: z.boolean() });

export type FoundPaths = z.infer<typeof FoundPaths>;

export const FileChange = z.object({
  path: z.string(),
  kind: z.enum(["add", "update", "delete", "move"]),
  to: z.string().optional(),
  additions: z.number().int().optional(),
  deletions: z.number().int().optional(),
  diff: z.string().optional(),
  binary: z.boolean().optional(),
  /** A repository of its own, of which only the commit is known. */
  submodule: z.boolean().optional(),
  /** The modes of git before and after, where they differ: `100644`, `100755`, `120000`. */
  modes: z.tuple([z.string(), z.string()]).optional(),
});

export type FileChange = z.infer<typeof FileChange>;
