import { createContext, useContext } from "react";
import type { Row } from "../rows/row.ts";
import type { TranscriptWindow } from "../window/window.ts";

/** What the rows of one transcript share. */
export type TranscriptContext = {
  session: string;
  window: TranscriptWindow;
  /** Opens a row that is closed, and closes one that is open. */
  toggle: (key: string, open: boolean) => void;
  /** Shows the events of a row as they are in the log. */
  showRaw: (row: Row) => void;
};

export const Shared = createContext<TranscriptContext | undefined>(undefined);

/** The session of the transcript that this is part of, for what may stand elsewhere too. */
export function useSessionHere(): string | undefined {
  return useContext(Shared)?.session;
}

export function useTranscript(): TranscriptContext {
  const context = useContext(Shared);
  if (!context) throw new Error("a row of a transcript stands outside of one");
  return context;
}
