import type { Attachment } from "@gantry/protocol";
import { type DraftFile, draftOf, setDraftContexts, setDraftFiles } from "../store/drafts.ts";
import { toast, toastError } from "../store/toasts.ts";
import { formatBytes } from "../ui/display/format.ts";
import { type Composed, composeMessage } from "./compose.ts";

/** The daemon takes a file of 15 MB as it travels, which is 11 MB on disk, and 20 MB with one call. */
const MOST_EACH = 11_000_000;
const MOST_TOGETHER = 15_000_000;
const MOST_FILES = 20;
let last = 0;

/** Puts something beside the draft of a session that goes with the next message as text. */
export function addContext(session: string, { title, text }: { title: string; text: string }): void {
  const { contexts } = draftOf(session).words.get();
  setDraftContexts(session, [...contexts, { id: draftPartId(), title, text }]);
}

/** Attaches a file to the draft of a session. One that is too large is not taken, and that is said. */
export async function addAttachment(session: string, file: File): Promise<void> {
  const { files } = draftOf(session);
  const total = files.get().reduce((sum, other) => sum + other.size, 0);
  if (file.size > MOST_EACH) return tellTooLarge(file, `${formatBytes(MOST_EACH)} is the most`);
  if (total + file.size > MOST_TOGETHER)
    return tellTooLarge(file, `${formatBytes(MOST_TOGETHER)} in one message is the most`);
  if (files.get().length >= MOST_FILES) {
    toast({ tone: "error", text: `A message takes ${MOST_FILES} files.`, remedy: "Send these first." });
    return;
  }
  const attachment: Attachment = {
    name: file.name.slice(-255),
    mime: file.type || undefined,
    data: await base64(file),
  };
  const added: DraftFile = { id: draftPartId(), size: file.size, attachment };
  setDraftFiles(session, [...files.get(), added]);
}

/** Attaches files one after the other, in their order. Never throws: what cannot be read is told. */
export async function addAttachments(session: string, files: Iterable<File>): Promise<void> {
  for (const file of [...files]) await addAttachment(session, file).catch(toastError);
}

/** The draft of a session as a message; `undefined` while there is nothing to send. */
export function composedDraft(session: string): Composed | undefined {
  const { words, files } = draftOf(session);
  return composeMessage(words.get(), files.get());
}

function tellTooLarge(file: File, most: string): void {
  toast({
    tone: "error",
    text: `${file.name} (${formatBytes(file.size)}) is too large to send: ${most}.`,
    remedy: "Put it into the session's folder and mention it with @.",
  });
}

function base64(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ""));
    reader.onerror = () => reject(reader.error ?? new Error(`${file.name} cannot be read.`));
    reader.readAsDataURL(file);
  });
}

function draftPartId(): string {
  return `${Date.now().toString(36)}-${++last}`;
}
