import type { Envelope } from "@gantry/protocol";
import { foldMessage, foldRetracted } from "./fold-message.ts";
import { foldStatus } from "./fold-status.ts";
import { foldTurn } from "./fold-turn.ts";
import { foldPlan, foldSubagent, foldTool } from "./fold-work.ts";
import { itemKey, type RowTree } from "./row-tree.ts";

/** Applies one event to the rows. Events without content for the transcript change nothing. */
export function foldEvent(tree: RowTree, event: Envelope): void {
  switch (event.type) {
    case "message.user":
    case "message.delivery":
      return foldMessage(tree, event);
    case "message.retracted":
      return foldRetracted(tree, event);
    case "message.done": {
      const { item, text, parent } = event.data;
      return tree.append({ kind: "message", key: itemKey(item), events: [event], item, text, open: false }, parent);
    }
    case "reasoning.done": {
      const { item, text, redacted, parent } = event.data;
      const row = {
        kind: "reasoning",
        key: itemKey(item),
        events: [event],
        item,
        text,
        redacted,
        open: false,
      } as const;
      return text || redacted ? tree.append(row, parent) : undefined;
    }
    case "tool.started":
    case "tool.updated":
    case "tool.ended":
      return foldTool(tree, event);
    case "subagent.started":
    case "subagent.updated":
    case "subagent.ended":
      return foldSubagent(tree, event);
    case "plan.updated":
      return foldPlan(tree, event);
    case "turn.started":
    case "turn.ended":
    case "diff.updated":
      return foldTurn(tree, event);
    default:
      return foldStatus(tree, event);
  }
}
