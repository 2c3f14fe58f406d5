import type { FullModelRegistry, OpenCredentials, StreamModel, ThinkingLevel } from "@gantry/models";
import type { Guard, Person, SessionStores } from "../contract/ports.ts";
import type { Rules } from "../contract/rules.ts";
import type { SessionStore } from "../contract/session-store.ts";
import type { Tool } from "../contract/tool.ts";
import type { UserInterface } from "../contract/ui.ts";
import type { ExtensionFailure } from "../extensions/load/supervise.ts";
import type { PermissionMode } from "../permissions/action.ts";
import type { Flow } from "../rpc/wire/pace-stream.ts";
import type { LoadedSettings } from "../settings/load.ts";

/** Parts that a program supplies instead of those of this machine. The program closes what it supplies. */
export type SuppliedParts = {
  registry?: FullModelRegistry;
  credentials?: OpenCredentials;
  stream?: StreamModel;
  settings?: LoadedSettings;
  rules?: Rules;
  /** The first session, instead of the one that the options name. */
  store?: SessionStore;
  /** Creates and opens later sessions. */
  stores?: SessionStores;
  /** Further tools, of subagents too. They replace built-in tools of the same name. */
  tools?: readonly Tool[];
};

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
  noMcp?: boolean;
  /** No extensions, no hooks and no commands of files. */
  noExtensions?: boolean;
  /** Further extensions: names of packages, or paths. */
  extensions?: readonly string[];
  mcpConfig?: string;
  person?: Person;
  guard?: Guard;
  /** What tools and extensions can show to the user. Absent: no person can be asked, and dialogs of extensions have default answers. */
  ui?: UserInterface;
  /** Shows what a command of an extension returned. Default: a notice. */
  showCommand?(text: string): void;
  /** Receives failures of extensions. Default: a notice, or a problem of the start. */
  onExtensionFailure?(failure: ExtensionFailure): void;
  /** Ignores the user's settings of todos and subagents, so that a client finds the same workflow for every user. */
  defaultWorkflow?: boolean;
  supplied?: SuppliedParts;
  /** Back-pressure: model streams are read no faster than this consumer accepts. */
  flow?: Flow;
};
