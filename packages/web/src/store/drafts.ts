import type { Attachment } from "@gantry/protocol";
import { type Cell, flushCells } from "./cell.ts";
import { keptCell } from "./kept.ts";
import { onRefused } from "./outbox.ts";

/** Something that goes with the message as text: a component picked in a preview, lines of a diff. */
export type DraftContext = { id: string; title: string; text: string };

/** A file as it will be sent, and how large it was. */
export type DraftFile = { id: string; size: number; attachment: Attachment };

export type DraftWords = { text: string; contexts: readonly DraftContext[] };

/** Two cells, so that a keystroke does not write the files anew. */
export type Draft = { words: Cell<DraftWords>; files: Cell<readonly DraftFile[]> };

const NO_WORDS: DraftWords = { text: "", contexts: [] };
const NO_FILES: readonly DraftFile[] = [];
const drafts = new Map<string, Draft>();

/** The draft of what is not a session yet. */
export const NEW_SESSION = "new";

/** What is being written to a session. It stays over everything but sending it: other views, reloads, answers. */
export function draftOf(session: string): Draft {
  const known = drafts.get(session);
  if (known) return known;
  const draft = {
    words: keptCell(`draft.${session}`, NO_WORDS),
    files: keptCell(`files.${session}`, NO_FILES, [(files) => files, () => NO_FILES]),
  };
  drafts.set(session, draft);
  return draft;
}

export function setDraftText(session: string, text: string): void {
  const { words } = draftOf(session);
  const { contexts } = words.get();
  words.set(text === "" && contexts.length === 0 ? NO_WORDS : { text, contexts });
  flushCells();
}

export function setDraftContexts(session: string, contexts: readonly DraftContext[]): void {
  const { words } = draftOf(session);
  const { text } = words.get();
  words.set(text === "" && contexts.length === 0 ? NO_WORDS : { text, contexts });
  flushCells();
}

export function setDraftFiles(session: string, files: readonly DraftFile[]): void {
  draftOf(session).files.set(files.length === 0 ? NO_FILES : files);
  flushCells();
}

export function clearDraft(session: string): void {
  const { words, files } = draftOf(session);
  words.set(NO_WORDS);
  files.set(NO_FILES);
  flushCells();
}

/** Puts back what could not be sent, before whatever has been written since. */
export function restoreDraft(session: string, text: string, attachments: readonly Attachment[] = []): void {
  const { words, files } = draftOf(session);
  const since = words.get().text;
  setDraftText(session, since === "" ? text : `${text}\n\n${since}`);
  const back = attachments.map((attachment, index) => ({
    id: `back-${index}-${attachment.name ?? attachment.path ?? ""}`,
    size: Math.floor(((attachment.data?.length ?? 0) * 3) / 4),
    attachment,
  }));
  setDraftFiles(session, [...back, ...files.get()]);
}

/** What waited for the daemon and was then refused becomes a draft again. Called once. */
export function tendDrafts(): void {
  onRefused((outgoing) => {
    if (outgoing.kind === "message") restoreDraft(outgoing.session, outgoing.body.text, outgoing.body.attachments);
    if (outgoing.kind === "create") restoreDraft(NEW_SESSION, outgoing.body.prompt ?? "", outgoing.body.attachments);
  });
}
