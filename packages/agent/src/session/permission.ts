import type { Action, PermissionMode, Verdict } from "../permissions/action.ts";
import { decide } from "../permissions/decide.ts";
import { type Grant, grantsFor } from "../permissions/grants.ts";
import type { ToolPlace } from "../tools/tool.ts";
import type { Decide } from "./options.ts";

/** The mode of a session and what a person has allowed in it. */
export class Permission {
  mode: PermissionMode;
  #grants: Grant[] = [];
  readonly #place: ToolPlace;
  readonly #decide: Decide;

  constructor(mode: PermissionMode, place: ToolPlace, options: { decide?: Decide; person: boolean }) {
    this.mode = mode;
    this.#place = place;
    const { person } = options;
    this.#decide = options.decide ?? ((now, actions, where, grants) => decide(now, actions, where, grants, { person }));
  }

  decide(actions: readonly Action[]): Verdict {
    return this.#decide(this.mode, actions, this.#place, this.#grants);
  }

  grant(actions: readonly Action[]): void {
    this.#grants.push(...grantsFor(actions));
  }

  /** Another conversation: nothing of it has been allowed yet. */
  forget(): void {
    this.#grants = [];
  }
}
