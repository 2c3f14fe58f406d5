import type { Envelope } from "@gantry/protocol";
import { foldEvent } from "./fold-event.ts";
import { RowTree } from "./row-tree.ts";

/**
 * Folds a contiguous range of a log into rows. Adding events one at a time or all at once gives the same rows, and a row
 * that an event does not affect stays the same object.
 */
export class RowFold {
  readonly tree = new RowTree();

  add(events: readonly Envelope[]): this {
    for (const event of events) foldEvent(this.tree, event);
    return this;
  }
}

/**
 * Folds a range and reuses the row objects of an earlier fold that have the same events. Used when a window has grown at
 * its front.
 */
export function foldRows(events: readonly Envelope[], before?: RowFold): RowFold {
  const fold = new RowFold().add(events);
  if (before) fold.tree.reuse(before.tree);
  return fold;
}
