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
import type { Announcer } from "../session/port.ts";
import { type Keeper, keepsHistory, listPast } from "./history/finding.ts";
import { Heads } from "./history/heads.ts";
import { Imports, type SessionPart } from "./imports.ts";
import type { Exported, Imported, TransferService } from "./port.ts";

export type TransferDeps = {
  store: Store;
  blobs: Blobs;
  jobs: Jobs;
  announcer: Announcer;
  sessions: SessionPart;
  /** Those whose files are looked for. */
  agents: readonly Agent[];
  agent(id: string): Agent | undefined;
  /** The daemon's environment and the user's home: agents find their files by both. */
  env: Record<string, string | undefined>;
  userHome: string;
  id: (kind: IdKind) => string;
  now: () => string;
};

/** Conversations and sessions from elsewhere, and sessions for elsewhere. */
export class Transfer implements TransferService {
  readonly #deps: TransferDeps;
  readonly #place: HistoryPlace;
  readonly #imports: Imports;

  constructor(deps: TransferDeps) {
    this.#deps = deps;
    this.#place = { env: deps.env, home: deps.userHome, heads: new Heads() };
    const onShown = (session: string, rows: Parameters<Announcer["committed"]>[1]) =>
      deps.announcer.committed(session, rows);
    const keeper = (id: string) => this.#keeper(id);
    this.#imports = new Imports({ ...deps, place: this.#place, keeper, onShown });
  }

  async list(
    { agent, cwd, limit }: { agent?: string; cwd?: string; limit: number },
    onFound?: (found: PastConversation) => void,
  ): Promise<PastConversationList> {
    const keepers = agent === undefined ? this.#deps.agents.filter(keepsHistory) : [this.#keeper(agent)];
    const imported = (id: string) => this.#deps.store.sessions.byHandle(id);
    return listPast({ keepers, place: this.#place, imported }, { cwd, limit }, onFound);
  }

  importConversation(body: ImportConversation, onProgress?: (progress: ImportProgress) => void): Promise<Imported> {
    return this.#imports.import(body, onProgress);
  }

  importFile(_file: Readable, _options: { cwd?: string }): Promise<Imported> {
    throw new GantryError("unsupported", "Files cannot be imported yet.");
  }

  export(_session: string, _format: ExportFormat, _options: { redact: boolean }): Exported {
    throw new GantryError("unsupported", "Sessions cannot be exported yet.");
  }

  #keeper(id: string): Keeper {
    const agent = this.#deps.agent(id);
    if (!agent) throw new GantryError("no_such_agent", `There is no agent ${id}.`);
    if (keepsHistory(agent)) return agent;
    const able = this.#deps.agents.filter(keepsHistory).map(({ name }) => name);
    throw new GantryError("unsupported", `The conversations of ${agent.name} cannot be read from its files.`, {
      remedy: `This works with ${able.join(", ")}. \`gantry conversations ${id}\` asks the agent itself.`,
    });
  }
}
