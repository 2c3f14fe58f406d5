import type { Attachment } from "@gantry/protocol";
import { type Cell, flushCells } from "../cell.ts";
import { storedCell } from "../stored-cell.ts";
import { onRefused } from "./outbox.ts";

/** Text that is sent with the message: a component picked in a preview, lines of a diff. */
export type DraftContext = { id: string; title: string; text: string };

/** A file as it will be sent, with its original size. */
export type DraftFile = { id: string; size: number; attachment: Attachment };

export type DraftBody = { text: string; contexts: readonly DraftContext[] };

/** Two cells, so that a keystroke does not store the files again. */
export type Draft = { body: Cell<DraftBody>; files: Cell<readonly DraftFile[]> };

const EMPTY_BODY: DraftBody = { text: "", contexts: [] };
const NO_FILES: readonly DraftFile[] = [];
const drafts = new Map<string, Draft>();

/** The key of the draft for a new session. */
export const NEW_SESSION = "new";

/** The draft of a session. It survives navigation and reloads until it is sent. */
export function draftOf(session: string): Draft {
  const known = drafts.get(session);
  if (known) return known;
  const draft = {
    body: storedCell(`draft.${session}`, EMPTY_BODY),
    files: storedCell(`files.${session}`, NO_FILES, [(files) => files, () => NO_FILES]),
  };
  drafts.set(session, draft);
  return draft;
}

export function setDraftText(session: string, text: string): void {
  const { body } = draftOf(session);
  const { contexts } = body.get();
  body.set(text === "" && contexts.length === 0 ? EMPTY_BODY : { text, contexts });
  flushCells();
}

export function setDraftContexts(session: string, contexts: readonly DraftContext[]): void {
  const { body } = draftOf(session);
  const { text } = body.get();
  body.set(text === "" && contexts.length === 0 ? EMPTY_BODY : { text, contexts });
  flushCells();
}

export function setDraftFiles(session: string, files: readonly DraftFile[]): void {
  draftOf(session).files.set(files.length === 0 ? NO_FILES : files);
  flushCells();
}

export function clearDraft(session: string): void {
  const { body, files } = draftOf(session);
  body.set(EMPTY_BODY);
  files.set(NO_FILES);
  flushCells();
}

/** Restores a message that could not be sent, before any text written since. */
export function restoreDraft(session: string, text: string, attachments: readonly Attachment[] = []): void {
  const { body, files } = draftOf(session);
  const since = body.get().text;
  setDraftText(session, since === "" ? text : `${text}\n\n${since}`);
  const restored = attachments.map((attachment, index) => ({
    id: `restored-${index}-${attachment.name ?? attachment.path ?? ""}`,
    size: Math.floor(((attachment.data?.length ?? 0) * 3) / 4),
    attachment,
  }));
  setDraftFiles(session, [...restored, ...files.get()]);
}

/** Restores the drafts of messages that were stored and then refused. Called once. */
export function startDrafts(): void {
  onRefused((outgoing) => {
    if (outgoing.kind === "message") restoreDraft(outgoing.session, outgoing.body.text, outgoing.body.attachments);
    if (outgoing.kind === "create") restoreDraft(NEW_SESSION, outgoing.body.prompt ?? "", outgoing.body.attachments);
  });
}
