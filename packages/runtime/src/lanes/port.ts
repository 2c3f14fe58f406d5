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

/** Who chose a lane's name; one that a person chose stays. */
export type NamedBy = "hand" | "prompt" | "model";

/** A lane as it is kept. What git can say of it (HEAD, changes, commits) is asked and not kept. */
export type LaneRecord = {
  id: string;
  name: string;
  namedBy: NamedBy;
  kind: Exclude<LaneKind, "primary">;
  /** The primary work tree, or the bare repository. */
  repository: string;
  commonDir: string;
  path: string;
  /** The branch that it was given. What is checked out now may be another. */
  branch?: string;
  /** Gantry made the branch, so it goes with the lane. */
  ownBranch: boolean;
  base: LaneBase;
  state: LaneState;
  ports?: PortRange;
  setup: LaneSetup;
  notices: string[];
  /** Why it could not be made. */
  error?: { code: string; message: string; remedy?: string };
  /** Hash of the request that created it. */
  request: string;
  /** The job that makes or removes it. */
  job?: string;
  createdAt: string;
};

/**
 * The lanes of all repositories; the server is a thin skin over it. Every method throws `GantryError` for what a client
 * did wrong or git refused, and has put its facts on disk when it returns.
 */
export interface LaneService {
  /** Of the repository of a folder, or of all that are known. The primary lane of each comes first. */
  list(query: { cwd?: string; repository?: string; archived?: boolean | "any"; refresh?: boolean }): Promise<LaneList>;
  get(id: string): Promise<Lane>;
  /** Of a session's folder, also where that is the primary work tree or a plain folder. */
  ofSession(session: string): Promise<Lane>;
  /** Resolves when it can be worked in; its set-up goes on. `created` is false for the same id and body again. */
  create(body: CreateLane): Promise<{ lane: Lane; created: boolean }>;
  patch(id: string, body: PatchLane): Promise<Lane>;
  /** Throws `lane_dirty`, `lane_unpushed`, `lane_locked` or `lane_in_use` unless forced. */
  remove(id: string, how: { force?: boolean }): Promise<LaneRemoved>;
  diff(id: string, query: { file?: string; limit?: number }): Promise<LaneDiff>;
  setupLog(id: string): SetupLog;
  /** Runs the set-up once more. Throws `conflict` while it runs. */
  setUp(id: string): Promise<SetupLog>;
  suggestions(cwd?: string): Promise<LaneSuggestion[]>;
  /** Removed lanes that can be had back, the newest first. */
  undos(cwd?: string): Promise<LaneUndo[]>;
  /** Brings back a removed lane, or the folder of one that is gone. */
  undo(id: string, ref?: string): Promise<Lane>;
}

/** What other parts of the daemon ask of the lanes. */
export interface LaneRoom {
  record(id: string): LaneRecord | undefined;
  /** The lane that a folder lies in. */
  at(path: string): LaneRecord | undefined;
  /** By id, or by name within the repository of `cwd`. Throws `no_such_lane`, `conflict` for a name that two have. */
  find(lane: string, cwd?: string): Promise<LaneRecord>;
  /** Resolves when it is no longer in the making, be it there or not. Its set-up may go on. */
  placed(id: string): Promise<void>;
  /** Resolves when its set-up has ended, however. */
  settled(id: string): Promise<LaneRecord>;
  /** A better name, from a model; nothing happens once a person has named the lane. */
  suggestName(id: string, name: string): Promise<boolean>;
  /** What processes in a lane find in their environment. */
  surroundings(lane: string | undefined): Record<string, string>;
}
