import type {
  CreateLane,
  Lane,
  LaneBase,
  LaneDiff,
  LaneKind,
  LaneList,
  LaneRemoved,
  LaneSetup,
  LaneState,
  LaneSuggestion,
  LaneUndo,
  PatchLane,
  PortRange,
  SetupLog,
} from "@gantry/protocol";

/** The source of a lane's name. A name that a person chose is never replaced. */
export type NamedBy = "hand" | "prompt" | "model";

/** A lane as stored. GitFacts that git knows (HEAD, changes, commits) are read from git, not stored. */
export type LaneRecord = {
  id: string;
  name: string;
  namedBy: NamedBy;
  kind: Exclude<LaneKind, "primary">;
  /** The primary work tree, or the bare repository. */
  repository: string;
  commonDir: string;
  path: string;
  /** The branch it was created with. Another one may be checked out now. */
  branch?: string;
  /** Gantry created the branch, so it is removed with the lane. */
  ownBranch: boolean;
  base: LaneBase;
  state: LaneState;
  ports?: PortRange;
  setup: LaneSetup;
  notices: string[];
  /** Why it could not be created. */
  error?: { code: string; message: string; remedy?: string };
  /** Hash of the request that created it. */
  request: string;
  /** The job that creates or removes it. */
  job?: string;
  createdAt: string;
};

/**
 * The lanes of all repositories, as the server uses them. Methods throw `GantryError` for client mistakes and git
 * failures. Their effects are on disk when they return.
 */
export interface LaneService {
  /** Lanes of the repository of a folder, or of all known repositories. The primary lane of each comes first. */
  list(query: { cwd?: string; repository?: string; archived?: boolean | "any"; refresh?: boolean }): Promise<LaneList>;
  get(id: string): Promise<Lane>;
  /** The lane of a session's folder, including a primary work tree or a plain folder. */
  ofSession(session: string): Promise<Lane>;
  /** Resolves when the lane is usable; set-up may still run. `created` is false for a repeated id and body. */
  create(body: CreateLane): Promise<{ lane: Lane; created: boolean }>;
  patch(id: string, body: PatchLane): Promise<Lane>;
  /** Throws `lane_dirty`, `lane_unpushed`, `lane_locked` or `lane_in_use` unless forced. */
  remove(id: string, how: { force?: boolean }): Promise<LaneRemoved>;
  diff(id: string, query: { file?: string; limit?: number }): Promise<LaneDiff>;
  setupLog(id: string): SetupLog;
  /** Runs the set-up again. Throws `conflict` while it runs. */
  setUp(id: string): Promise<SetupLog>;
  suggestions(cwd?: string): Promise<LaneSuggestion[]>;
  /** Removed lanes that can be restored, newest first. */
  undos(cwd?: string): Promise<LaneUndo[]>;
  /** Restores a removed lane, or the missing folder of an existing one. */
  undo(id: string, ref?: string): Promise<Lane>;
}

/** The lanes as other parts of the daemon use them. */
export interface LaneRoom {
  record(id: string): LaneRecord | undefined;
  /** The lane that contains a folder. */
  at(path: string): LaneRecord | undefined;
  /** By id, or by name within the repository of `cwd`. Throws `no_such_lane`, or `conflict` for an ambiguous name. */
  find(lane: string, cwd?: string): Promise<LaneRecord>;
  /** Resolves when creation has ended, successfully or not. Set-up may still run. */
  waitForPlaced(id: string): Promise<void>;
  /** Resolves when set-up has ended, successfully or not. */
  waitForSettled(id: string): Promise<LaneRecord>;
  /** Applies a name from a model. Does nothing when a person has named the lane. */
  suggestName(id: string, name: string): Promise<boolean>;
  /** Environment variables for processes in a lane. */
  surroundings(lane: string | undefined): Record<string, string>;
}
