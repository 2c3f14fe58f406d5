import type { ThinkingLevel } from "@gantry/models";
import type { Guard, Person } from "../contract/ports.ts";
import type { PermissionMode } from "../permissions/action.ts";
import type { Flow } from "../rpc/wire/pace-stream.ts";

/** The options of an agent, from the command line or a host. */
export type AgentOptions = {
  env: Record<string, string | undefined>;
  cwd: string;
  /** GANTRY_HOME. */
  home: string;
  /** `provider/id`, a role, or part of a name; optionally with `:level`. */
  model?: string;
  provider?: string;
  thinking?: ThinkingLevel;
  mode?: PermissionMode;
  /** The models to cycle through. */
  models?: readonly string[];
  /** A model profile. */
  profile?: string;
  /** Stores the profile in config.yml as the default. */
  keepProfile?: boolean;
  apiKey?: string;
  /** Additional files in the format of models.yml, read after it. */
  modelsFiles?: readonly string[];
  sessionDir?: string;
  noSession?: boolean;
  continueRecent?: boolean;
  /** The session to resume: an id, an id prefix or a path. */
  resume?: string;
  /** The session to fork: an id, an id prefix or a path. */
  fork?: string;
  /** Additional folders with the same write permission as `cwd`. */
  folders?: readonly string[];
  /** Skill folders that take precedence over those of the project and the user. */
  skills?: readonly string[];
  /** Only these built-in tools. */
  tools?: readonly string[];
  noTools?: boolean;
  systemPrompt?: string;
  appendSystemPrompt?: string;
  noRules?: boolean;
  noLsp?: boolean;
  noSkills?: boolean;
  mcpConfig?: string;
  person?: Person;
  guard?: Guard;
  /** Ignores the user's settings of todos and subagents, so that a client finds the same workflow for every user. */
  defaultWorkflow?: boolean;
  /** Back-pressure: model streams are read no faster than this consumer accepts. */
  flow?: Flow;
};
