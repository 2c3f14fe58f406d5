import { createContext, useContext } from "react";
import type { Row, UserRow } from "../rows/row.ts";
import type { TranscriptWindow } from "../window/window.ts";

/** What the rows of one transcript share. */
export type TranscriptContext = {
  session: string;
  window: TranscriptWindow;
  /** Opens or closes a row. */
  toggle: (key: string, open: boolean) => void;
  /** Shows the events of a row from the log. */
  showRaw: (row: Row) => void;
  /** Opens the dialog that changes a message and sends it again. Absent while an earlier moment is shown. */
  resend?: (row: UserRow) => void;
};

export const TranscriptProvider = createContext<TranscriptContext | undefined>(undefined);

/** The session of the surrounding transcript; `undefined` outside of one. */
export function useTranscriptSession(): string | undefined {
  return useContext(TranscriptProvider)?.session;
}

export function useTranscript(): TranscriptContext {
  const context = useContext(TranscriptProvider);
  if (!context) throw new Error("useTranscript must be called inside a transcript");
  return context;
}
