import { Cell, useCell } from "../../store/cell.ts";
import { type LiveItem, liveItem } from "../../store/live.ts";
import { useTranscript } from "../view/context.ts";

const nothing = new Cell<LiveItem>({});

/** What has streamed of an item so far, for as long as it is open. */
export function useLiveText(item: string, open: boolean): LiveItem {
  const { session } = useTranscript();
  return useCell(open ? liveItem(session, item) : nothing);
}
