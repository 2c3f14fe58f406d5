import type { ThinkingLevel } from "@gantry/models";
import type { Guard, Person } from "../contract/ports.ts";
import type { PermissionMode } from "../permissions/action.ts";
import type { Flow } from "../rpc/wire/pace-stream.ts";

/** What a command line or a host says about an agent before it starts. */
export type AgentOptions = {
  env: Record<string, string | undefined>;
  cwd: string;
  /** GANTRY_HOME. */
  home: string;
  /** `provider/id`, a role, a part of a name; with `:level` if wanted. */
  model?: string;
  provider?: string;
  thinking?: ThinkingLevel;
  mode?: PermissionMode;
  /** The models that are cycled through. */
  models?: readonly string[];
  /** A profile of models. */
  profile?: string;
  /** It is written into config.yml, and counts from now on. */
  keepProfile?: boolean;
  apiKey?: string;
  /** Files like models.yml that are read after it. */
  modelsFiles?: readonly string[];
  sessionDir?: string;
  noSession?: boolean;
  continueRecent?: boolean;
  /** An id, the beginning of one, or a path. */
  resume?: string;
  /** The same, for a copy of it. */
  fork?: string;
  /** Folders beside `cwd` in which writing is as free as in it. */
  folders?: readonly string[];
  /** Folders that hold skills, before those of the project and of the user. */
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
  /** Models are not read faster than whoever listens can take it. */
  flow?: Flow;
};
