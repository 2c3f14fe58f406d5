import type {
  AgentRow,
  ConversationList,
  McpServerList,
  McpServerRow,
  McpServerSettings,
  Offer,
  ProfileRow,
  RouteResult,
  SearchHit,
  Session,
  SettingChanges,
  SettingList,
  SkillList,
  SkillRow,
  UsageRow,
} from "@gantry/protocol";
import type { LogSource } from "../hub/source.ts";
import type { StoredEvent, UsageFilter, UsageKey } from "../log/port.ts";

/** What the server reads from the store by itself. */
export interface ServerLog extends LogSource {
  /** The last `count` events, oldest first. */
  tailEvents(session: string, count: number): StoredEvent[];
  /** Full text; any text is a valid query. */
  search(q: string, limit: number, session?: string): SearchHit[];
  usage(by: readonly UsageKey[], filter?: UsageFilter): { rows: UsageRow[]; total: UsageRow };
}

/** The agents of this machine, probed and remembered. */
export interface Catalogue {
  list(refresh?: boolean): Promise<AgentRow[]>;
  /** Calls `onRow` for each agent as its probe ends; resolves after the last. */
  stream(refresh: boolean, onRow: (row: AgentRow) => void): Promise<void>;
  /** One row. Throws `no_such_agent`. */
  row(id: string, refresh?: boolean): Promise<AgentRow>;
  /** Every command there is to install an agent or to log it in. Throws `no_such_agent`. */
  offers(id: string): Promise<{ offers: Offer[] }>;
  /** What the agent keeps by itself, of one folder or of all. Throws `no_such_agent`, `unsupported`, `agent_unavailable`. */
  conversations(id: string, cwd?: string): Promise<ConversationList>;
}

/** A session that shows what there is to see, in a project made for it. */
export interface DemoService {
  /** `created` is false for an id that was given before. */
  start(id?: string): Promise<{ session: Session; created: boolean }>;
}

/** Local profiles as files. */
export interface ProfileService {
  list(): ProfileRow[];
  /** Throws `invalid` for a text with mistakes; then nothing has changed. */
  put(id: string, text: string): ProfileRow;
  /** Throws `no_such_profile`. */
  delete(id: string): void;
}

/** The daemon's own settings. */
export interface SettingService {
  list(): SettingList;
  /** Throws `invalid` or `conflict`; then nothing has changed. */
  change(changes: SettingChanges): RouteResult<"patchSettings">;
}

/** What agents are given beside their prompts. Changes are on disk when a call returns; they throw `GantryError`. */
export interface KitService {
  servers(): McpServerList;
  putServer(name: string, settings: McpServerSettings): McpServerRow;
  deleteServer(name: string): void;
  skills(): SkillList;
  putSkill(name: string, path: string): SkillRow;
  deleteSkill(name: string): void;
}
