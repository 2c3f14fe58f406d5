import type { ToolPlace } from "../../contract/tool.ts";
import type { Action, PermissionMode, Verdict } from "../../permissions/action.ts";
import { decide, PERMISSION_MODES } from "../../permissions/decide.ts";
import { type Grant, grantsFor } from "../../permissions/grants.ts";
import type { Decide } from "../options.ts";
import type { Transcript } from "./transcript.ts";

export type PermissionParts = {
  transcript: Transcript;
  place: ToolPlace;
  /** The mode that whoever started the session insists on; no file changes it. */
  wanted?: PermissionMode;
  /** For sessions that say nothing about it. */
  usual: PermissionMode;
  decide?: Decide;
  person: boolean;
};

/** The mode of a session and what a person has allowed in it. The mode is in the file before it counts. */
export class Permission {
  readonly #parts: PermissionParts;
  readonly #decide: Decide;
  #mode: PermissionMode;
  #grants: Grant[] = [];

  constructor(parts: PermissionParts) {
    this.#parts = parts;
    const { person } = parts;
    this.#decide = parts.decide ?? ((now, actions, where, grants) => decide(now, actions, where, grants, { person }));
    this.#mode = parts.wanted ?? this.#stored() ?? parts.usual;
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

  /** Writes the mode into a branch that does not know it. */
  persist(): void {
    const { store } = this.#parts.transcript;
    if (!store.readOnly && this.#stored() !== this.#mode) store.append({ type: "mode_change", mode: this.#mode });
  }

  /** Another conversation: its mode counts, and nothing of it has been allowed yet. */
  restore(): void {
    this.#grants = [];
    if (this.#parts.wanted === undefined) this.#mode = this.#stored() ?? this.#mode;
    this.persist();
  }

  #stored(): PermissionMode | undefined {
    const { mode } = this.#parts.transcript.store.branch();
    return PERMISSION_MODES.find((known) => known === mode);
  }
}
