import { compact, fields, list, nonBlank } from "../../fields.ts";
import { rungOf } from "../modes.ts";
import type { Pass } from "./state.ts";

/** The mode is another one now. The way back out of planning leads to the mode before it. */
export function changeMode(pass: Pass, native: string | undefined): void {
  const { state } = pass;
  if (!native || native === state.mode) return;
  const to = rungOf(native);
  const from = rungOf(state.mode);
  if (native === "plan") state.beforePlan = state.mode;
  state.mode = native;
  if (to) pass.event("mode.changed", compact({ from, to, native }));
}

/** The slash commands, always the whole list. */
export function readCommands(pass: Pass, value: unknown): void {
  const commands = list(value).flatMap((entry) => {
    const { name, description, argumentHint } = fields(entry);
    const named = nonBlank(name);
    return named ? [compact({ name: named, description: nonBlank(description), hint: nonBlank(argumentHint) })] : [];
  });
  if (commands.length > 0) pass.event("commands.changed", { list: commands });
}

/** `claude-x[1m]` is `claude-x` with a larger window: the provider answers by the bare name. */
export function bare(model: string | undefined): string | undefined {
  return model?.replace(/\[[^\]]*\]$/, "");
}
