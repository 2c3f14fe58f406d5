import { useSyncExternalStore } from "react";
import { useCellPart } from "../store/cell.ts";
import { panelCells, panelOf } from "./panel-state.ts";

const PHONE = matchMedia("(max-width: 767px)");

function onPhoneChange(listener: () => void): () => void {
  PHONE.addEventListener("change", listener);
  return () => PHONE.removeEventListener("change", listener);
}

/** Whether the panel fills the screen when it is open. */
export function useIsSheet(): boolean {
  return useSyncExternalStore(onPhoneChange, () => PHONE.matches);
}

/** Whether the panel of a session is open, and its tab. */
export function usePanel(session: string): { open: boolean; tab: string } {
  const open = useCellPart(panelCells.panels, () => panelOf(session).open);
  const own = useCellPart(panelCells.panels, (panels) => panels[session]?.tab);
  const last = useCellPart(panelCells.lastTab, (tab) => tab);
  return { open, tab: own ?? last };
}
