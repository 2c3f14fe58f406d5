/** Kinds of own configuration of an agent, which a mode must hold against. */
export const ownConfigs = ["permissive", "project", "restrictive"] as const;
export type OwnConfig = (typeof ownConfigs)[number];

/** The name of the scenario that checks a mode against an own configuration. */
export function promiseName(mode: string, own: OwnConfig): string {
  return `${mode}-${own}`;
}

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
  /** The agent has its own configuration, which the target writes. */
  own?: OwnConfig;
};
