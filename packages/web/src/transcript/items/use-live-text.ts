import { Cell, useCell } from "../../store/cell.ts";
import { type LiveItem, liveItem } from "../../store/sessions/live.ts";
import { useTranscript } from "../view/context.ts";

const NO_TEXT = new Cell<LiveItem>({});

/** The text of an item streamed so far, while it is open. */
export function useLiveText(item: string, open: boolean): LiveItem {
  const { session } = useTranscript();
  return useCell(open ? liveItem(session, item) : NO_TEXT);
}
