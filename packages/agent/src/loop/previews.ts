import type { Model, ToolChoice } from "@gantry/models";
import type { PendingAction } from "../contract/tool.ts";

export const RESOLVE = "resolve";

/**
 * Previews that wait for a decision, oldest first. As long as one waits the model is made to call `resolve`; whoever
 * cannot be made to is reminded. A preview leaves only when `resolve` takes it, so a model that does something else is
 * asked again.
 */
export class PendingPreviews {
  #waiting: { action: PendingAction; reminded: boolean }[] = [];
  #unforceable = false;

  pend(action: PendingAction): void {
    this.#waiting.push({ action, reminded: false });
  }

  take(): PendingAction | undefined {
    return this.#waiting.shift()?.action;
  }

  peek(): PendingAction | undefined {
    return this.#waiting[0]?.action;
  }

  get waiting(): boolean {
    return this.#waiting.length > 0;
  }

  /** The provider refused a forced choice: from now on words must do. */
  degrade(): void {
    this.#unforceable = true;
  }

  /** The next time the model is reminded again. */
  remindAgain(): void {
    const [first] = this.#waiting;
    if (first) first.reminded = false;
  }

  /** What the next request says about it. */
  next(canForce: boolean): { toolChoice?: ToolChoice; reminder?: string } {
    const [first] = this.#waiting;
    if (!first) return {};
    const reminder = first.reminded
      ? undefined
      : `A preview of ${first.action.sourceTool} waits: ${first.action.label}. Nothing has been changed yet. Call \`${RESOLVE}\` now, with action "apply" or "discard" and a reason, before anything else.`;
    first.reminded = true;
    return canForce && !this.#unforceable ? { toolChoice: { name: RESOLVE }, reminder } : { reminder };
  }

  clear(): void {
    this.#waiting = [];
  }
}

/** Whether a model's endpoint takes the name of a tool that must be called. */
export function canForce(model: Model): boolean {
  const compat = model.compat;
  if (!compat) return true;
  if (compat.supportsToolChoice === false || compat.supportsForcedToolChoice === false) return false;
  return compat.toolChoiceSupport === undefined || compat.toolChoiceSupport === "named";
}
