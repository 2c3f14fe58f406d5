/** How a bench differs from a daemon with default settings and a model that answers. */
export type Setting = {
  /** `config.yml` of the daemon. */
  config?: Record<string, unknown>;
  /** The agent's provider is a port without a listener. */
  modelDown?: boolean;
  /** The agent has no key. */
  keyless?: boolean;
  /** The agent's program lacks its main channel. */
  fallback?: boolean;
  /**
   * Additions to a configuration file of the agent, by agent id: lines at its top, or settings for a JSON file. The path is
   * relative to the agent's home.
   */
  agentConfig?: Readonly<Record<string, { file: string } & ({ lines: string } | { settings: object })>>;
  env?: Record<string, string>;
};
