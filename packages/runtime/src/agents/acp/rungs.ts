import { type Mode, permitControls } from "@gantry/protocol";
import type { Dialect, Rung } from "./dialect.ts";
import type { State } from "./state.ts";

/** The mode for a native mode. If several match, the one requested last. */
export function rungOf(dialect: Dialect, state: State, native: string | undefined): Mode | undefined {
  const fitting = rungsWith(dialect, state, native);
  return fitting.find((name) => name === (state.rung ?? state.options.mode)) ?? fitting[0];
}

/**
 * The mode that the agent's report proves: the only one with this native mode, or the one of them that the agent
 * acknowledged. Launch arguments that distinguish modes are not reported, so they prove nothing.
 */
export function provenRung(dialect: Dialect, state: State, native: string | undefined): Mode | undefined {
  const fitting = rungsWith(dialect, state, native);
  return fitting.length === 1 ? fitting[0] : fitting.find((name) => name === state.rung);
}

/** The native mode that the session chose by a control, if its mode permits it. */
export function chosenMode({ controls }: Dialect, { options }: State, mode: Mode): string | undefined {
  return controls && permitControls(controls.set, mode, options.controls ?? {}).values[controls.native];
}

/** The agent's name for a mode in this process. */
export function nativeMode(dialect: Dialect, state: State, mode: Mode): string | undefined {
  const chosen = chosenMode(dialect, state, mode);
  if (chosen !== undefined) return chosen;
  const native = dialect.rungs[mode]?.mode;
  return native !== undefined && dialect.modesPerProcess ? `${native}-${state.seed}` : native;
}

/** A native mode without the process's id. Recordings have the ids of their processes. */
export function plainMode(dialect: Dialect, state: State, native: string | undefined): string | undefined {
  if (!dialect.modesPerProcess || native === undefined) return native;
  const own = `-${state.seed}`;
  return native.endsWith(own) ? native.slice(0, -own.length) : native.replace(/-[0-9a-f]{8}$/, "");
}

function rungsWith(dialect: Dialect, state: State, native: string | undefined): Mode[] {
  const plain = plainMode(dialect, state, native);
  const rungs = Object.entries(dialect.rungs) as [Mode, Rung][];
  return rungs.filter(([, rung]) => plain !== undefined && rung.mode === plain).map(([name]) => name);
}
