import type { Envelope } from "@gantry/protocol";
import { foldInto } from "./fold-event.ts";
import { RowTree } from "./row-tree.ts";

/**
 * The rows of a contiguous range of a log, made event by event. Adding events one at a time or all at once gives the
 * same rows, and a row that an event does not concern stays the same object.
 */
export class RowFold {
  readonly tree = new RowTree();

  add(events: readonly Envelope[]): this {
    for (const event of events) foldInto(this.tree, event);
    return this;
  }
}

/**
 * The rows of a range, with the rows of an earlier fold kept as objects where they have the same events. For a window
 * that has grown at its front.
 */
export function foldRows(events: readonly Envelope[], before?: RowFold): RowFold {
  const fold = new RowFold().add(events);
  if (before) fold.tree.reuse(before.tree);
  return fold;
}
