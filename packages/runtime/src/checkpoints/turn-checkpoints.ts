import { type Draft, draft, type SessionView } from "@gantry/protocol";
import type { Config } from "../config.ts";
import type { RecordChange, Store } from "../log/port.ts";
import type { TurnSnapshots } from "../session/api.ts";
import { OpenTurns } from "./open-turns.ts";
import type { Retention } from "./retention.ts";
import { changesBetween, describeChanges, sumChanges } from "./work-tree/diff.ts";
import type { Missing } from "./work-tree/place.ts";
import { refOf, storeRef } from "./work-tree/refs.ts";
import { TooManyFiles } from "./work-tree/update-index.ts";
import type { WorkTree } from "./work-tree/work-tree.ts";
import type { WorkTrees } from "./work-trees.ts";

export type TurnCheckpointsDeps = {
  store: Store;
  places: WorkTrees;
  retention: Retention;
  config: Config["checkpoints"];
  /** Appends events to a session's log together with records, atomically. */
  publish: (session: string, events: readonly Draft[], records?: readonly RecordChange[]) => void;
  /** Resolves when reverts that an earlier daemon left unfinished are done. */
  ready: () => Promise<unknown>;
  log: (line: string) => void;
  /** Called at each step of a checkpoint. Set only by crash tests. */
  onStep?: (step: string) => void;
};

/** Limit of the files in an event. */
const LISTED = 500;

type Begin = { view: SessionView; turn: string; late: boolean; stored: Promise<void>; tree?: WorkTree };

/** After this many late checkpoints in a row the folder is switched off. The first one reads every file. */
const LATES = 2;

/** Takes a checkpoint of the work tree before and after each turn, and publishes the diff. */
export class TurnCheckpoints implements TurnSnapshots {
  readonly openTurns: OpenTurns;
  readonly #deps: TurnCheckpointsDeps;
  readonly #begins = new Map<string, Begin>();
  readonly #lates = new Map<WorkTree, number>();
  /** Checkpoints of ended turns in progress, by turn. */
  readonly #ends = new Map<string, { session: string; stored: Promise<void> }>();

  constructor(deps: TurnCheckpointsDeps) {
    this.#deps = deps;
    this.openTurns = new OpenTurns(deps.store);
  }

  /** At boot: takes the missing checkpoints of turns that ended without one. */
  recover(): void {
    for (const { turn, session } of this.openTurns.list()) {
      const view = this.#deps.store.sessions.get(session)?.view;
      if (!view) this.openTurns.forget(turn);
      else if (view.turn?.id !== turn) this.end(view, turn);
    }
  }

  begin(view: SessionView): Promise<void> | undefined {
    const turn = view.turn?.id;
    if (turn === undefined || this.openTurns.get(turn) || !this.#deps.config.enabled) return undefined;
    if (!this.#deps.places.may(view.cwd)) {
      void this.#runLogged(view.id, async () => this.#publishMissing(view, turn, await this.#explainMissing(view.cwd)));
      return undefined;
    }
    const known = this.#begins.get(turn);
    const begin = known ?? { view, turn, late: false, stored: Promise.resolve() };
    if (!known) {
      begin.stored = this.#runLogged(view.id, () => this.#storeBefore(begin)).finally(() => this.#begins.delete(turn));
      this.#begins.set(turn, begin);
    }
    return this.#inTime(begin);
  }

  end(view: SessionView, turn: string): void {
    const { places, config } = this.#deps;
    const mayHave = this.#begins.has(turn) || this.openTurns.get(turn) !== undefined;
    if (!mayHave || !config.enabled || !places.may(view.cwd) || this.#ends.has(turn)) return;
    const stored = this.#runLogged(view.id, () => this.#storeAfter(view, turn)).finally(() => this.#ends.delete(turn));
    this.#ends.set(turn, { session: view.id, stored });
  }

  async forget(session: string): Promise<void> {
    await this.waitForStored(session);
    for (const open of this.openTurns.list()) if (open.session === session) this.openTurns.forget(open.turn);
    await this.#runLogged(session, () => this.#deps.retention.forget(session));
  }

  /** Resolves when all checkpoints of a session in progress are stored or have failed. */
  async waitForStored(session: string): Promise<void> {
    const begins = [...this.#begins.values()].filter(({ view }) => view.id === session).map(({ stored }) => stored);
    const ends = [...this.#ends.values()].filter((end) => end.session === session).map(({ stored }) => stored);
    await Promise.all([...begins, ...ends]);
  }

  /** Resolves when all checkpoints in progress have ended. */
  allSettled(): Promise<unknown> {
    const all = [...this.#begins.values(), ...this.#ends.values()];
    return Promise.all(all.map(({ stored }) => stored));
  }

  /** Sessions with a running turn in a work tree. */
  listRunningSessions(root: string): string[] {
    const { store } = this.#deps;
    return this.openTurns
      .list()
      .filter((open) => open.root === root && store.sessions.get(open.session)?.view.turn?.id === open.turn)
      .map(({ session }) => session);
  }

  /** Limits how long the prompt waits. A checkpoint that is stored later has no `before`. */
  async #inTime(begin: Begin): Promise<void> {
    const { seconds } = this.#deps.config;
    const deadline = Promise.withResolvers<void>();
    const timer = setTimeout(deadline.resolve, seconds * 1000);
    await Promise.race([begin.stored, deadline.promise]);
    clearTimeout(timer);
    if (!this.#begins.has(begin.turn)) return;
    begin.late = true;
    const why = { missing: `its files could not be saved within ${seconds} s` };
    if (begin.tree) this.#countLate(begin.tree, why.missing);
    await this.#runLogged(begin.view.id, async () =>
      this.#publishMissing(begin.view, begin.turn, why, "checkpoint_late"),
    );
  }

  /** Switches off a folder that is late repeatedly, because it would delay every turn. */
  #countLate(tree: WorkTree, missing: string): void {
    const lates = (this.#lates.get(tree) ?? 0) + 1;
    this.#lates.set(tree, lates % LATES);
    if (lates < LATES) return;
    const remedy = "Add files that need no checkpoint to .gitignore, or raise checkpoints.seconds in config.yml.";
    this.#deps.places.switchOff(tree, { missing: `${missing}, ${LATES} times in a row`, remedy });
  }

  async #storeBefore(begin: Begin): Promise<void> {
    const { view, turn } = begin;
    const { publish, retention } = this.#deps;
    const tree = await this.#deps.places.of(view.cwd);
    if ("missing" in tree) return this.#publishMissing(view, turn, tree);
    begin.tree = tree;
    try {
      await this.#deps.ready();
      this.#deps.onStep?.("checkpoint:before:start");
      const { commit } = await tree.snapshot({ drops: true });
      this.#deps.onStep?.("checkpoint:before:snapshot");
      if (begin.late) return publish(view.id, [], this.#recordBegin(view, turn, tree));
      retention.note(view.id, tree.place);
      await storeRef(tree.repository, refOf(view.id, turn, "before"), commit);
      this.#deps.onStep?.("checkpoint:before:ref");
      if (begin.late) return publish(view.id, [], this.#recordBegin(view, turn, tree));
      this.#lates.delete(tree);
      const event = draft("diff.updated", { turn, files: [], before: commit }, { turn });
      publish(view.id, [event as Draft], this.#recordBegin(view, turn, tree, commit));
      this.#deps.onStep?.("checkpoint:before:publish");
    } catch (error) {
      this.#publishMissing(view, turn, this.#handleRefusal(tree, error as Error), undefined, tree);
    }
  }

  async #storeAfter(view: SessionView, turn: string): Promise<void> {
    const { publish, retention } = this.#deps;
    const begin = this.#begins.get(turn);
    try {
      const tree = await this.#deps.places.of(view.cwd);
      if ("missing" in tree) return;
      this.#deps.onStep?.("checkpoint:after:start");
      const taken = tree.snapshot();
      taken.catch(() => undefined);
      await begin?.stored;
      const { commit } = await taken;
      this.#deps.onStep?.("checkpoint:after:snapshot");
      retention.note(view.id, tree.place);
      await storeRef(tree.repository, refOf(view.id, turn, "after"), commit);
      this.#deps.onStep?.("checkpoint:after:ref");
      const open = this.openTurns.get(turn);
      if (open?.before)
        publish(view.id, [await this.#diff(tree, view, open, commit)], [this.openTurns.recordEnd(turn)]);
      this.#deps.onStep?.("checkpoint:after:publish");
    } finally {
      // There is no retry.
      if (this.openTurns.get(turn)) this.openTurns.forget(turn);
    }
  }

  async #diff(
    tree: WorkTree,
    view: SessionView,
    open: { turn: string; before?: string; shared: string[] },
    after: string,
  ) {
    const { turn, before = after, shared } = open;
    const changes = await changesBetween(tree.shadow, before, after);
    const files = describeChanges(changes, tree.place.root, view.cwd, LISTED);
    const total = sumChanges(changes);
    const data = { turn, files, before, after, total, ...(shared.length > 0 ? { shared } : {}) };
    return draft("diff.updated", data, { turn }) as Draft;
  }

  /** The turn runs without a checkpoint. Publishes why, and stores that its end still needs one if `tree` is given. */
  #publishMissing(
    view: SessionView,
    turn: string,
    { missing, remedy }: Missing,
    kind = "checkpoint",
    tree?: WorkTree,
  ): void {
    const text = [`There is no checkpoint of this folder: ${missing}.`, ...(remedy ? [remedy] : [])].join(" ");
    const event = draft("notice", { kind, severity: "info", text }, { turn });
    this.#deps.publish(view.id, [event as Draft], tree ? this.#recordBegin(view, turn, tree) : []);
  }

  #recordBegin(view: SessionView, turn: string, { place }: WorkTree, before?: string): RecordChange[] {
    return this.openTurns.recordBegin({
      turn,
      session: view.id,
      cwd: view.cwd,
      root: place.root,
      ...(before ? { before } : {}),
    });
  }

  async #explainMissing(cwd: string): Promise<Missing> {
    const place = await this.#deps.places.of(cwd);
    return "missing" in place ? place : { missing: "it was added to git only now" };
  }

  #handleRefusal(tree: WorkTree, error: Error & { remedy?: string }): Missing {
    const why = { missing: error.message.replace(/\.$/, ""), ...(error.remedy ? { remedy: error.remedy } : {}) };
    if (error instanceof TooManyFiles) this.#deps.places.switchOff(tree, why);
    return why;
  }

  async #runLogged(session: string, work: () => Promise<void> | void): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#deps.log(`${session}: checkpoint: ${(error as Error).stack ?? error}`);
    }
  }
}
