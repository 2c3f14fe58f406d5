import type { ReactNode } from "react";
import type { Row } from "../rows/row.ts";
import { FailureBox } from "./failure-box.tsx";
import { HandoffItem } from "./handoff-item.tsx";
import { InputItem } from "./input-item.tsx";
import { MessageItem } from "./message-item.tsx";
import { PlanItem } from "./plan-item.tsx";
import { ReasoningItem } from "./reasoning-item.tsx";
import { CompactedItem, LimitItem, NoteItem, RawItem, StalledItem } from "./small-items.tsx";
import { SubagentItem } from "./subagent-item.tsx";
import { ToolItem } from "./tool-item.tsx";
import { TurnItem } from "./turn-item.tsx";
import { UserItem } from "./user-item.tsx";

/** What a row shows, by its kind. */
export function RowBody({ row, open, under }: { row: Row; open: boolean; under: number }): ReactNode {
  switch (row.kind) {
    case "user":
      return <UserItem row={row} />;
    case "message":
      return <MessageItem row={row} />;
    case "reasoning":
      return <ReasoningItem row={row} open={open} />;
    case "tool":
      return <ToolItem row={row} open={open} under={under} />;
    case "subagent":
      return <SubagentItem row={row} open={open} under={under} />;
    case "plan":
      return <PlanItem row={row} open={open} />;
    case "input":
      return <InputItem row={row} open={open} />;
    case "turn":
      return <TurnItem row={row} open={open} />;
    case "handoff":
      return <HandoffItem row={row} open={open} />;
    case "error":
      return <FailureBox failure={row.failure} messages={row.messages} />;
    case "stalled":
      return <StalledItem row={row} />;
    case "limit":
      return <LimitItem row={row} />;
    case "compacted":
      return <CompactedItem row={row} />;
    case "raw":
      return <RawItem row={row} />;
    case "note":
      return <NoteItem row={row} />;
  }
}
