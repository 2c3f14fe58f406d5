import type { Command, ControlValues } from "@gantry/protocol";
import { compact, type Fields, fields, list, nonBlank, texts } from "../../fields.ts";
import { OUTPUT_STYLE, PERMISSION_MODE } from "../controls.ts";
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
  pass.emit({ kind: "controls", values: { [PERMISSION_MODE]: native } });
  if (to) pass.event("mode.changed", compact({ from, to, native }));
}

/** Publishes the native controls and plugins that a frame names. */
export function reportControls(pass: Pass, frame: Fields): void {
  const values = compact({
    [PERMISSION_MODE]: nonBlank(frame.permissionMode),
    [OUTPUT_STYLE]: nonBlank(frame.output_style),
  }) as ControlValues;
  const styles = texts(frame.available_output_styles);
  const choices = styles.length > 0 ? { [OUTPUT_STYLE]: styles } : undefined;
  const plugins = Array.isArray(frame.plugins)
    ? frame.plugins.flatMap((plugin) => nonBlank(fields(plugin).name) ?? [])
    : undefined;
  if (Object.keys(values).length === 0 && !choices && !plugins?.length) return;
  pass.emit(compact({ kind: "controls", values, choices, plugins }));
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
