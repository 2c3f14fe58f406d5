import type { ToolPlace } from "../../contract/tool.ts";
import type { Action, PermissionMode, Verdict } from "../../permissions/action.ts";
import { decide, PERMISSION_MODES } from "../../permissions/decide.ts";
import { type Grant, grantsFor } from "../../permissions/grants.ts";
import type { Decide } from "../options.ts";
import type { Transcript } from "./transcript.ts";

export type PermissionParts = {
  transcript: Transcript;
  place: ToolPlace;
  /** The mode set by the caller. It takes precedence over the session file. */
  fixedMode?: PermissionMode;
  /** The mode of sessions whose file has none. */
  defaultMode: PermissionMode;
  decide?: Decide;
  person: boolean;
};

/** The permission mode and the grants of a session. A mode is stored before it takes effect. */
export class Permission {
  readonly #parts: PermissionParts;
  readonly #decide: Decide;
  #mode: PermissionMode;
  #grants: Grant[] = [];

  constructor(parts: PermissionParts) {
    this.#parts = parts;
    const { person } = parts;
    this.#decide = parts.decide ?? ((now, actions, where, grants) => decide(now, actions, where, grants, { person }));
    this.#mode = parts.fixedMode ?? this.#readStoredMode() ?? parts.defaultMode;
    this.persist();
  }

  get mode(): PermissionMode {
    return this.#mode;
  }

  set mode(mode: PermissionMode) {
    if (mode === this.#mode) return;
    this.#parts.transcript.store.append({ type: "mode_change", mode });
    this.#mode = mode;
  }

  decide(actions: readonly Action[]): Verdict {
    return this.#decide(this.mode, actions, this.#parts.place, this.#grants);
  }

  grant(actions: readonly Action[]): void {
    this.#grants.push(...grantsFor(actions));
  }

  /** Stores the mode in a branch that lacks it. */
  persist(): void {
    const { store } = this.#parts.transcript;
    if (!store.readOnly && this.#readStoredMode() !== this.#mode)
      store.append({ type: "mode_change", mode: this.#mode });
  }

  /** Called after a switch to another conversation: takes its mode and drops all grants. */
  restore(): void {
    this.#grants = [];
    if (this.#parts.fixedMode === undefined) this.#mode = this.#readStoredMode() ?? this.#mode;
    this.persist();
  }

  #readStoredMode(): PermissionMode | undefined {
    const { mode } = this.#parts.transcript.store.branch();
    return PERMISSION_MODES.find((known) => known === mode);
  }
}
