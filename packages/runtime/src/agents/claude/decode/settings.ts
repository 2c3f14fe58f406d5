import type { Command } from "@gantry/protocol";
import { compact, fields, list, nonBlank } from "../../fields.ts";
import { rungOf } from "../modes.ts";
import type { Pass } from "./state.ts";

/** Changes the mode. Leaving plan mode restores the mode before it. */
export function changeMode(pass: Pass, native: string | undefined): void {
  const { state } = pass;
  if (!native || native === state.mode) return;
  const to = rungOf(native);
  const from = rungOf(state.mode);
  if (native === "plan") state.beforePlan = state.mode;
  state.mode = native;
  if (to) pass.event("mode.changed", compact({ from, to, native }));
}

/** The slash commands, always the complete list. */
export function readCommands(pass: Pass, value: unknown): void {
  const commands = listedCommands(value);
  if (commands.length > 0) pass.event("commands.changed", { list: commands });
}

/** Commands as Claude lists them. */
export function listedCommands(value: unknown): Command[] {
  return list(value).flatMap((entry) => {
    const { name, description, argumentHint } = fields(entry);
    const named = nonBlank(name);
    return named ? [compact({ name: named, description: nonBlank(description), hint: nonBlank(argumentHint) })] : [];
  });
}

/** `claude-x[1m]` is `claude-x` with a larger context window; the provider reports the plain name. */
export function bareModelName(model: string | undefined): string | undefined {
  return model?.replace(/\[[^\]]*\]$/, "");
}
