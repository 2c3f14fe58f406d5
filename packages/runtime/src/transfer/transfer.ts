import type { Readable } from "node:stream";
import {
  type ExportFormat,
  GantryError,
  type IdKind,
  type ImportConversation,
  type ImportProgress,
  type PastConversation,
  type PastConversationList,
} from "@gantry/protocol";
import type { Agent, HistoryPlace } from "../agents/contract.ts";
import type { Jobs } from "../jobs/jobs.ts";
import type { Blobs } from "../log/blobs.ts";
import type { Store } from "../log/port.ts";
import type { Publisher } from "../session/api.ts";
import { Exports } from "./exports.ts";
import { SessionFiles } from "./files.ts";
import { type Keeper, keepsHistory, listPast } from "./history/find-conversations.ts";
import { Heads } from "./history/heads.ts";
import { IMPORT } from "./history/import-job.ts";
import { Imports } from "./imports.ts";
import type { Exported, Imported, ImportOptions, TransferService } from "./port.ts";
import type { ImportSessions } from "./relocate.ts";

export type TransferDeps = {
  store: Store;
  blobs: Blobs;
  jobs: Jobs;
  announcer: Publisher;
  sessions: ImportSessions;
  /** Agents whose files are searched. */
  agents: readonly Agent[];
  agent(id: string): Agent | undefined;
  /** The daemon's environment and the user's home, which locate the files of agents. */
  env: Record<string, string | undefined>;
  userHome: string;
  /** The daemon's home folder. */
  home: string;
  version: string;
  secrets: readonly string[];
  briefChars: number;
  /** The patch of a turn, from the checkpoints. */
  patchOf(session: string, turn: string): Promise<string | undefined>;
  id: (kind: IdKind) => string;
  now: () => string;
};

/** Imports conversations and sessions, and exports sessions. */
export class Transfer implements TransferService {
  readonly #deps: TransferDeps;
  readonly #place: HistoryPlace;
  readonly #imports: Imports;
  readonly #files: SessionFiles;
  readonly #exports: Exports;

  constructor(deps: TransferDeps) {
    this.#deps = deps;
    this.#place = { env: deps.env, home: deps.userHome, heads: new Heads() };
    const onShown = (session: string, rows: Parameters<Publisher["committed"]>[1]) =>
      deps.announcer.committed(session, rows);
    const keeper = (id: string) => this.#keeper(id);
    this.#imports = new Imports({ ...deps, place: this.#place, keeper, onShown });
    this.#files = new SessionFiles({ ...deps, onShown });
    const agentName = (id: string) => deps.agent(id)?.name ?? id;
    const patchOf = (session: string, turn: string) => this.#patchOf(session, turn);
    this.#exports = new Exports({ ...deps, agentName, patchOf });
  }

  async list(
    { agent, cwd, limit }: { agent?: string; cwd?: string; limit: number },
    onFound?: (found: PastConversation) => void,
  ): Promise<PastConversationList> {
    const keepers = agent === undefined ? this.#deps.agents.filter(keepsHistory) : [this.#keeper(agent)];
    const findImported = (id: string) => this.#deps.store.sessions.byHandle(id);
    return listPast({ keepers, place: this.#place, imported: findImported }, { cwd, limit }, onFound);
  }

  importConversation(body: ImportConversation, onProgress?: (progress: ImportProgress) => void): Promise<Imported> {
    return this.#imports.import(body, onProgress);
  }

  importFile(file: Readable, options: ImportOptions): Promise<Imported> {
    return this.#files.import(file, options);
  }

  export(session: string, format: ExportFormat, { redact }: { redact: boolean }): Exported {
    return this.#exports.export(session, format, redact);
  }

  /** Called when a session is deleted. */
  removed(session: string): void {
    this.#files.removed(session);
    this.#deps.store.records(IMPORT).delete(session);
  }

  /** From the checkpoints of this machine, or from the imported file. */
  async #patchOf(session: string, turn: string): Promise<string | undefined> {
    const own = await this.#deps.patchOf(session, turn).catch(() => undefined);
    return own || this.#files.patchOf(session, turn);
  }

  #keeper(id: string): Keeper {
    const agent = this.#deps.agent(id);
    if (!agent) throw new GantryError("no_such_agent", `There is no agent ${id}.`);
    if (keepsHistory(agent)) return agent;
    const able = this.#deps.agents.filter(keepsHistory).map(({ name }) => name);
    throw new GantryError("unsupported", `Gantry cannot read the conversation files of ${agent.name}.`, {
      remedy: `This works with ${able.join(", ")}. \`gantry conversations ${id}\` asks the agent itself.`,
    });
  }
}
