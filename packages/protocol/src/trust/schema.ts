import { z } from "zod";

/**
 * program: an executable file that a language server is started from. kernel: an interpreter. check: the command that
 * verifies a lane. git-program: a setting of git other than a filter that names a program. search-path: an entry of PATH
 * in the folder. agent-config: a file that makes an agent run code, such as settings with hooks, or a plugin. extension:
 * an extension, a hook or commands for Gantry's own agent.
 */
export const TrustKind = z.enum([
  "language-server",
  "mcp-server",
  "kernel",
  "program",
  "search-path",
  "setup-script",
  "check",
  "hook",
  "filter",
  "git-program",
  "agent-config",
  "extension",
]);

export type TrustKind = z.infer<typeof TrustKind>;

/** One thing that a folder supplies and that would run. */
export const TrustItem = z.object({
  kind: TrustKind,
  name: z.string(),
  /** The file that it comes from. */
  file: z.string(),
  /** The command line, or the program. */
  command: z.string(),
  /** Whether its present content is trusted. */
  trusted: z.boolean(),
});

export type TrustItem = z.infer<typeof TrustItem>;

/** changed: the folder is trusted, and what would run is not the same any more. The changed items do not run. */
export const TrustState = z.enum(["trusted", "changed", "untrusted"]);

export type TrustState = z.infer<typeof TrustState>;

/** What a folder would run, and whether it may. */
export const FolderTrust = z.object({
  /** The real path. */
  path: z.string(),
  state: TrustState,
  /** The trusted folder that covers this one: a folder above it, or the main work tree of a lane. */
  through: z.string().optional(),
  /** The folder to trust: the main work tree of a lane if it has the same content, because that covers all lanes. */
  target: z.string(),
  items: z.array(TrustItem),
  /** Identifies the items with their content. `PUT` takes it, so that only what was shown is trusted. */
  digest: z.string(),
  /** The user has answered "not now" for this content. Clients do not ask again. */
  dismissed: z.boolean(),
  trustedAt: z.iso.datetime().optional(),
});

export type FolderTrust = z.infer<typeof FolderTrust>;

/** A folder in the list of trusted folders. `items` is the number of items that were trusted. */
export const TrustedFolder = z.object({ path: z.string(), trustedAt: z.string(), items: z.number().int() });

export type TrustedFolder = z.infer<typeof TrustedFolder>;

const path = z.string().min(1).max(4096);

export const PutTrust = z.strictObject({
  path,
  /** The digest of the items that the user saw. Other items now: 409 `conflict`. */
  digest: z.string().max(200).optional(),
  /** `later`: trusts nothing; this content is not asked about again. */
  decision: z.enum(["trust", "later"]).default("trust"),
});

export type PutTrust = z.infer<typeof PutTrust>;

export const TrustQuery = z.strictObject({ path: path.optional() });
