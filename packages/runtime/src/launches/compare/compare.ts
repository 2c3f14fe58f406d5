import {
  type ComparedLane,
  type Comparison,
  type Envelope,
  GantryError,
  type Lane,
  type LaneDiff,
  type Session,
} from "@gantry/protocol";
import { mergeBase } from "../../lanes/git/commits.ts";
import type { Git } from "../../lanes/git/git.ts";
import type { LaneRoom, LaneService } from "../../lanes/port.ts";
import type { Checks } from "../checks/checks.ts";
import { workOf } from "./work-of.ts";

export type ComparingDeps = {
  git: Git;
  lanes: Pick<LaneService, "get" | "diff">;
  room: Pick<LaneRoom, "find">;
  session: (id: string) => Session | undefined;
  /** The whole log of a session. */
  events: (session: string) => Envelope[];
  checks: Pick<Checks, "of">;
};

type Base = Comparison["base"];
type Wanted = { lane: string; name: string; sessions: readonly string[] };

/** Limit of the patches of all lanes together, in bytes. */
const PATCH_BYTES = 2 * 1024 * 1024;

/** Compares lanes: their changes, commands, cost and last messages. */
export class Comparing {
  readonly #deps: ComparingDeps;

  constructor(deps: ComparingDeps) {
    this.#deps = deps;
  }

  async compareNamed(names: readonly string[], { patch, cwd }: { patch: boolean; cwd?: string }): Promise<Comparison> {
    const records = await Promise.all([...new Set(names)].map((name) => this.#deps.room.find(name, cwd)));
    const [first] = records;
    if (!first) throw new GantryError("invalid", "Select the lanes to compare.");
    const stray = records.find((record) => record.repository !== first.repository);
    if (stray) throw new GantryError("invalid", `${first.name} and ${stray.name} belong to different repositories.`);
    const bases = records.map((record) => record.base.commit);
    const refs = new Set(records.map((record) => record.base.ref));
    const commit = await this.#findCommonBase(first.repository, bases);
    const base = { ...(refs.size === 1 && first.base.ref ? { ref: first.base.ref } : {}), commit };
    return this.lanes(
      records.map(({ id, name }) => ({ lane: id, name, sessions: [] })),
      { base, patch },
    );
  }

  async lanes(wanted: readonly Wanted[], { base, patch }: { base: Base; patch: boolean }): Promise<Comparison> {
    const limit = patch ? Math.max(1, Math.floor(PATCH_BYTES / Math.max(1, wanted.length))) : 1;
    const lanes = await Promise.all(wanted.map((one) => this.#compareLane(one, { limit, patch })));
    return { base, lanes, overlap: overlapOf(lanes) };
  }

  /** A removed lane is shown with the facts from its sessions. */
  async #compareLane(wanted: Wanted, how: { limit: number; patch: boolean }): Promise<ComparedLane> {
    const { lanes, checks, events } = this.#deps;
    const { lane: id } = wanted;
    const seen = await Promise.all([lanes.get(id), lanes.diff(id, { limit: how.limit })]).catch(
      (error: Error) => error,
    );
    const [lane, diff] = seen instanceof Error ? [undefined, undefined] : seen;
    const sessions = this.#sessions(wanted, lane);
    const last = sessions.at(-1);
    const check = checks.of(id);
    return {
      lane: id,
      name: lane?.name ?? wanted.name,
      ...(lane?.branch ? { branch: lane.branch } : {}),
      sessions: sessions.map((session) => session.id),
      agents: sessions.map(({ agent, model, servedModel }) => ({ agent, model: model ?? servedModel })),
      state: last?.state ?? "none",
      diff: presentDiff(diff, how.patch),
      ...workOf(sessions.map((session) => events(session.id))),
      ...(check ? { check: await check } : {}),
      ...(seen instanceof Error ? { error: { code: codeOf(seen), message: seen.message } } : {}),
    };
  }

  #sessions({ sessions }: Wanted, lane: Lane | undefined): Session[] {
    const ids = [...new Set([...sessions, ...(lane?.sessions ?? [])])];
    return ids.map((id) => this.#deps.session(id)).filter((session) => session !== undefined);
  }

  async #findCommonBase(repository: string, commits: readonly string[]): Promise<string> {
    let common = commits[0] ?? "";
    for (const commit of commits.slice(1))
      common = (await mergeBase(this.#deps.git, repository, common, commit)) ?? common;
    return common;
  }
}

function presentDiff(diff: LaneDiff | undefined, patch: boolean): ComparedLane["diff"] {
  if (!diff) return { files: [], additions: 0, deletions: 0, patch: "", left: [] };
  const { files, additions, deletions } = diff;
  return { files, additions, deletions, patch: patch ? diff.patch : "", left: patch ? diff.left : [] };
}

function overlapOf(lanes: readonly ComparedLane[]): Comparison["overlap"] {
  const touched = new Map<string, Set<string>>();
  for (const { lane, diff } of lanes) {
    for (const { path, to } of diff.files) {
      for (const one of to ? [path, to] : [path]) touched.set(one, (touched.get(one) ?? new Set()).add(lane));
    }
  }
  return [...touched]
    .filter(([, by]) => by.size > 1)
    .map(([path, by]) => ({ path, lanes: [...by] }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

function codeOf(error: Error): string {
  return (error as GantryError).code ?? "internal";
}
