/** What a project can supply for an agent. All paths are relative to the session's folder or one above it. */
export type ProjectCode = {
  /** Files, or folders with all of their files, that make the agent run code, such as hooks and plugins. */
  readonly paths: readonly string[];
  /** The parts of `paths` that are only read, such as memory files. */
  readonly text?: readonly string[];
  /**
   * The parts of `paths` that the agent itself writes when it runs trusted code, such as the list of installed packages.
   * Next to other code they do not count, or the first run after a decision would revoke it. Alone they count.
   */
  readonly generated?: readonly string[];
  /** Memory files that the agent does not read when it starts without the project's code. Gantry passes their text on. */
  readonly memory?: readonly string[];
};
