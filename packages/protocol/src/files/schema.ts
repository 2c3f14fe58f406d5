import { z } from "zod";

/** An absolute path of the daemon's machine. */
export const AbsolutePath = z
  .string()
  .max(4096)
  .regex(/^\/[^\0]*$/, "must be an absolute path");

/** Absolute paths of folders besides the session's own. */
export const ExtraFolders = z.array(z.string().max(4096)).max(20);

/** A file or folder. The path is relative to the searched folder. */
export const FoundPath = z.object({ path: z.string(), kind: z.enum(["file", "folder"]) });

export type FoundPath = z.infer<typeof FoundPath>;

const folder = { path: z.string(), /** Is it a git repository? */ git: z.boolean() };

/** The folders in `path`, and the folders that sessions used last. */
export const FolderList = z.object({
  path: z.string(),
  parent: z.string().optional(),
  home: z.string(),
  folders: z.array(z.object({ name: z.string(), ...folder })),
  recent: z.array(z.object(folder)),
});

export type FolderList = z.infer<typeof FolderList>;

/** Best matches first. `truncated`: there are more matches, or the folder was not searched completely. */
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
  /** A submodule; only its commit is known. */
  submodule: z.boolean().optional(),
  /** The git modes before and after, if they differ: `100644`, `100755`, `120000`. */
  modes: z.tuple([z.string(), z.string()]).optional(),
});

export type FileChange = z.infer<typeof FileChange>;
