import type { Context } from "../../program/context.ts";
import { type Shell, scripts } from "./scripts.ts";

/** Prints the script that teaches a shell to complete `gantry`. */
export default function completion(this: Context, _flags: Record<never, never>, shell: Shell): void {
  if (this.output.json) return this.output.data({ shell, script: scripts[shell] });
  this.output.print(scripts[shell].trimEnd());
}
