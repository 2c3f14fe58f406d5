import { type Draft, draft, type SessionView } from "@gantry/protocol";
import type { Config } from "../config.ts";
import type { RecordChange, Store } from "../log/port.ts";
import type { TurnSnapshots } from "../session/api.ts";
import { OpenTurns } from "./open-turns.ts";
import type { Places } from "./places.ts";
import type { Retention } from "./retention.ts";
import { changesBetween, described, summed } from "./work-tree/diff.ts";
import type { Missing } from "./work-tree/place.ts";
import { keep, refOf } from "./work-tree/refs.ts";
import { TooMuch } from "./work-tree/take-in.ts";
import type { WorkTree } from "./work-tree/work-tree.ts";

export type KeeperDeps = {
  store: Store;
  places: Places;
  retention: Retention;
  config: Config["checkpoints"];
  /** Puts events into a session's log, and records with them, at once or not at all. */
  tell: (session: string, events: readonly Draft[], records?: readonly RecordChange[]) => void;
  /** Resolves when files that an earlier daemon was putting back are back. */
  ready: () => Promise<unknown>;
  log: (line: string) => void;
};

/** More files than this are not listed in an event. */
const LISTED = 500;

type Begin = { view: SessionView; turn: string; late: boolean; kept: Promise<void>; tree?: WorkTree };

/** So many begins in a row may be late: the first one reads every file. */
const LATES = 2;

/** Keeps the work tree of every session as it is before and after each turn, and says in the log what changed. */
export class Keeper implements TurnSnapshots {
  readonly openTurns: OpenTurns;
  readonly #deps: KeeperDeps;
  readonly #begins = new Map<string, Begin>();
  readonly #lates = new Map<WorkTree, number>();
  /** Ends under way, by turn. */
  readonly #ends = new Map<string, { session: string; kept: Promise<void> }>();

  constructor(deps: KeeperDeps) {
    this.#deps = deps;
    this.openTurns = new OpenTurns(deps.store);
  }

  /** At boot: the end of a turn that no daemon has kept is kept now. */
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
      void this.#guarded(view.id, async () => this.#without(view, turn, await this.#missing(view.cwd)));
      return undefined;
    }
    const known = this.#begins.get(turn);
    const begin = known ?? { view, turn, late: false, kept: Promise.resolve() };
    if (!known) {
      begin.kept = this.#guarded(view.id, () => this.#keepBefore(begin)).finally(() => this.#begins.delete(turn));
      this.#begins.set(turn, begin);
    }
    return this.#inTime(begin);
  }

  end(view: SessionView, turn: string): void {
    const { places, config } = this.#deps;
    const mayHave = this.#begins.has(turn) || this.openTurns.get(turn) !== undefined;
    if (!mayHave || !config.enabled || !places.may(view.cwd) || this.#ends.has(turn)) return;
    const kept = this.#guarded(view.id, () => this.#keepAfter(view, turn)).finally(() => this.#ends.delete(turn));
    this.#ends.set(turn, { session: view.id, kept });
  }

  async forget(session: string): Promise<void> {
    await this.settled(session);
    for (const open of this.openTurns.list()) if (open.session === session) this.openTurns.forget(open.turn);
    await this.#guarded(session, () => this.#deps.retention.forget(session));
  }

  /** Resolves when everything that is being kept of a session is kept, or was given up. */
  async settled(session: string): Promise<void> {
    const begins = [...this.#begins.values()].filter(({ view }) => view.id === session).map(({ kept }) => kept);
    const ends = [...this.#ends.values()].filter((end) => end.session === session).map(({ kept }) => kept);
    await Promise.all([...begins, ...ends]);
  }

  /** Everything that is under way, of all sessions. */
  underWay(): Promise<unknown> {
    const all = [...this.#begins.values(), ...this.#ends.values()];
    return Promise.all(all.map(({ kept }) => kept));
  }

  /** Sessions with a turn under way in a work tree. */
  working(root: string): string[] {
    const { store } = this.#deps;
    return this.openTurns
      .list()
      .filter((open) => open.root === root && store.sessions.get(open.session)?.view.turn?.id === open.turn)
      .map(({ session }) => session);
  }

  /** The prompt waits no longer than is said; what is kept after that shows no begin. */
  async #inTime(begin: Begin): Promise<void> {
    const { seconds } = this.#deps.config;
    const deadline = Promise.withResolvers<void>();
    const timer = setTimeout(deadline.resolve, seconds * 1000);
    await Promise.race([begin.kept, deadline.promise]);
    clearTimeout(timer);
    if (!this.#begins.has(begin.turn)) return;
    begin.late = true;
    const why = { missing: `its files could not be kept within ${seconds} s` };
    if (begin.tree) this.#late(begin.tree, why.missing);
    await this.#guarded(begin.view.id, async () => this.#without(begin.view, begin.turn, why, "checkpoint_late"));
  }

  /** A folder that is always late would hold up every turn. */
  #late(tree: WorkTree, missing: string): void {
    const lates = (this.#lates.get(tree) ?? 0) + 1;
    this.#lates.set(tree, lates % LATES);
    if (lates < LATES) return;
    const remedy = "Name what need not be kept in .gitignore, or raise checkpoints.seconds in config.yml.";
    this.#deps.places.switchOff(tree, { missing: `${missing}, ${LATES} times in a row`, remedy });
  }

  async #keepBefore(begin: Begin): Promise<void> {
    const { view, turn } = begin;
    const { tell, retention } = this.#deps;
    const tree = await this.#deps.places.of(view.cwd);
    if ("missing" in tree) return this.#without(view, turn, tree);
    begin.tree = tree;
    try {
      await this.#deps.ready();
      const { commit } = await tree.snapshot({ drops: true });
      if (begin.late) return tell(view.id, [], this.#begun(view, turn, tree));
      retention.note(view.id, tree.place);
      await keep(tree.repository, refOf(view.id, turn, "before"), commit);
      if (begin.late) return tell(view.id, [], this.#begun(view, turn, tree));
      this.#lates.delete(tree);
      const event = draft("diff.updated", { turn, files: [], before: commit }, { turn });
      tell(view.id, [event as Draft], this.#begun(view, turn, tree, commit));
    } catch (error) {
      this.#without(view, turn, this.#refused(tree, error as Error), undefined, tree);
    }
  }

  async #keepAfter(view: SessionView, turn: string): Promise<void> {
    const { tell, retention } = this.#deps;
    const begin = this.#begins.get(turn);
    try {
      const tree = await this.#deps.places.of(view.cwd);
      if ("missing" in tree) return;
      const taken = tree.snapshot();
      taken.catch(() => undefined);
      await begin?.kept;
      const { commit } = await taken;
      retention.note(view.id, tree.place);
      await keep(tree.repository, refOf(view.id, turn, "after"), commit);
      const open = this.openTurns.get(turn);
      if (open?.before) tell(view.id, [await this.#diff(tree, view, open, commit)], [this.openTurns.ended(turn)]);
    } finally {
      // Whatever happened: nobody tries again.
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
    const files = described(changes, tree.place.root, view.cwd, LISTED);
    const total = summed(changes);
    const data = { turn, files, before, after, total, ...(shared.length > 0 ? { shared } : {}) };
    return draft("diff.updated", data, { turn }) as Draft;
  }

  /** The turn goes on without; says why, and that its end is to be kept all the same where that can be. */
  #without(view: SessionView, turn: string, { missing, remedy }: Missing, kind = "checkpoint", tree?: WorkTree): void {
    const words = [`There is no checkpoint of this folder: ${missing}.`, ...(remedy ? [remedy] : [])];
    const text = words.join(" ");
    const event = draft("notice", { kind, severity: "info", text }, { turn });
    this.#deps.tell(view.id, [event as Draft], tree ? this.#begun(view, turn, tree) : []);
  }

  #begun(view: SessionView, turn: string, { place }: WorkTree, before?: string): RecordChange[] {
    return this.openTurns.begun({
      turn,
      session: view.id,
      cwd: view.cwd,
      root: place.root,
      ...(before ? { before } : {}),
    });
  }

  async #missing(cwd: string): Promise<Missing> {
    const place = await this.#deps.places.of(cwd);
    return "missing" in place ? place : { missing: "it was only now put under git" };
  }

  #refused(tree: WorkTree, error: Error & { remedy?: string }): Missing {
    const why = { missing: error.message.replace(/\.$/, ""), ...(error.remedy ? { remedy: error.remedy } : {}) };
    if (error instanceof TooMuch) this.#deps.places.switchOff(tree, why);
    return why;
  }

  async #guarded(session: string, work: () => Promise<void> | void): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#deps.log(`${session}: checkpoint: ${(error as Error).stack ?? error}`);
    }
  }
}
