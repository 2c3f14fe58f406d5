import type { ReactNode } from "react";
import type { Row } from "../rows/row.ts";
import { HandoffItem } from "./handoff-item.tsx";
import { InputItem } from "./input-item.tsx";
import { MessageItem } from "./message-item.tsx";
import { PlanItem } from "./plan-item.tsx";
import { ReasoningItem } from "./reasoning-item.tsx";
import { CompactedItem, LimitItem, NoteItem, RawItem, StalledItem } from "./status-items.tsx";
import { SubagentItem } from "./subagent-item.tsx";
import { ToolItem } from "./tool/tool-item.tsx";
import { FailureBox } from "./turn/failure-box.tsx";
import { TurnItem } from "./turn/turn-item.tsx";
import { UserItem } from "./user-item.tsx";

/** The content of a row by its kind. */
export function RowBody({ row, open, childCount }: { row: Row; open: boolean; childCount: number }): ReactNode {
  switch (row.kind) {
    case "user":
      return <UserItem row={row} open={open} />;
    case "message":
      return <MessageItem row={row} />;
    case "reasoning":
      return <ReasoningItem row={row} open={open} />;
    case "tool":
      return <ToolItem row={row} open={open} childCount={childCount} />;
    case "subagent":
      return <SubagentItem row={row} open={open} childCount={childCount} />;
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
      return <LimitItem row={row} open={open} />;
    case "compacted":
      return <CompactedItem row={row} />;
    case "raw":
      return <RawItem row={row} />;
    case "note":
      return <NoteItem row={row} />;
  }
}
