/** How to start a process. */
export type Launch = {
  args: string[];
  env?: Record<string, string>;
  /** Files to create before the start, by path below `dir`, readable by the user only. */
  files?: Record<string, string>;
  /** Symbolic links to create before the start: path below `dir` → absolute target. */
  links?: Record<string, string>;
  /** JSON files to create before the start, by path below `dir`, each on top of one that exists on the machine. */
  overlays?: Record<string, Overlay>;
};

/**
 * Settings on top of a machine's settings file: the one that the environment `variable` names, else `path`. Objects are
 * merged and lists concatenated, so that nothing an administrator configured is lost.
 */
export type Overlay = { variable: string; path: string; settings: Record<string, unknown> };
