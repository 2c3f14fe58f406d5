import type { Model, ToolChoice } from "@gantry/models";
import type { PendingAction } from "../contract/tool.ts";

export const RESOLVE = "resolve";

/**
 * Previews that wait for a decision, oldest first. While one waits, the model is forced to call `resolve`; a model that
 * cannot be forced gets a reminder. A preview leaves the list only through `resolve`, so a model that does something
 * else is asked again.
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

  /** The provider refused a forced choice. From now on, only reminders are used. */
  degrade(): void {
    this.#unforceable = true;
  }

  /** Repeats the reminder with the next request. */
  remindAgain(): void {
    const [first] = this.#waiting;
    if (first) first.reminded = false;
  }

  /** The tool choice and the reminder for the next request. */
  next(canForce: boolean): { toolChoice?: ToolChoice; reminder?: string } {
    const [first] = this.#waiting;
    if (!first) return {};
    const reminder = first.reminded
      ? undefined
      : `A preview of ${first.action.sourceTool} is pending: ${first.action.label}. Nothing has been changed yet. Call \`${RESOLVE}\` now, with action "apply" or "discard" and a reason, before anything else.`;
    first.reminded = true;
    return canForce && !this.#unforceable ? { toolChoice: { name: RESOLVE }, reminder } : { reminder };
  }

  clear(): void {
    this.#waiting = [];
  }
}

/** Whether the model's endpoint supports a forced tool choice by name. */
export function canForce(model: Model): boolean {
  const compat = model.compat;
  if (!compat) return true;
  if (compat.supportsToolChoice === false || compat.supportsForcedToolChoice === false) return false;
  return compat.toolChoiceSupport === undefined || compat.toolChoiceSupport === "named";
}
