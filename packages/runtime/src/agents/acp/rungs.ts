import type { Mode } from "@gantry/protocol";
import type { Dialect, Rung } from "./dialect.ts";
import type { State } from "./state.ts";

/** The mode for a native mode. If several match, the one requested last. */
export function rungOf(dialect: Dialect, state: State, native: string | undefined): Mode | undefined {
  const rungs = Object.entries(dialect.rungs) as [Mode, Rung][];
  const fitting = rungs.filter(([, rung]) => native !== undefined && rung.mode === native).map(([name]) => name);
  return fitting.find((name) => name === (state.rung ?? state.options.mode)) ?? fitting[0];
}
