import type { KnownCommand } from "@gantry/protocol";

/**
 * A folder with commands, skills or output styles as files. A skill is a folder with a `SKILL.md`, anything else one
 * file.
 */
export type CommandFolder = {
  kind: KnownCommand["kind"] | "style";
  /** Below the agent's folder in the user's home. */
  user?: string;
  /** Below the session's folder. */
  project?: string;
  /** Default: `.md`. */
  extension?: string;
  /** Before the name, such as `prompts:`. */
  prefix?: string;
  /** Between the folders of a command and its name. Default: `:`. */
  separator?: string;
};

/** Where an agent keeps commands that a user or a project defines. */
export type CommandFiles = {
  /** The agent's folder: `folder`, or the one that a variable names, else `path` in the user's home. */
  root: { variable?: string; path: string; folder?: string };
  folders: readonly CommandFolder[];
  /** Output styles that the agent always has. */
  styles?: readonly string[];
};
