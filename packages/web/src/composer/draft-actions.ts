import type { Attachment } from "@gantry/protocol";
import { type DraftFile, draftOf, setDraftContexts, setDraftFiles } from "../store/outgoing/drafts.ts";
import { toast, toastError } from "../store/toasts.ts";
import { formatBytes } from "../ui/display/format.ts";
import { type Composed, composeMessage } from "./compose.ts";

/** The daemon accepts 15 MB per file and 20 MB per call after base64 encoding, so 11 MB and 15 MB on disk. */
const MAX_FILE_BYTES = 11_000_000;
const MAX_TOTAL_BYTES = 15_000_000;
const MAX_FILES = 20;
let lastPart = 0;

/** Adds a context to the draft of a session. It is sent as text with the next message. */
export function addContext(session: string, { title, text }: { title: string; text: string }): void {
  const { contexts } = draftOf(session).body.get();
  setDraftContexts(session, [...contexts, { id: draftPartId(), title, text }]);
}

/** Attaches a file to the draft of a session. A file that is too large is refused with a toast. */
export async function addAttachment(session: string, file: File): Promise<void> {
  const { files } = draftOf(session);
  const total = files.get().reduce((sum, other) => sum + other.size, 0);
  if (file.size > MAX_FILE_BYTES) return toastTooLarge(file, `The limit is ${formatBytes(MAX_FILE_BYTES)} per file.`);
  if (total + file.size > MAX_TOTAL_BYTES)
    return toastTooLarge(file, `The limit is ${formatBytes(MAX_TOTAL_BYTES)} per message.`);
  if (files.get().length >= MAX_FILES) {
    toast({ tone: "error", text: `A message can have at most ${MAX_FILES} files.`, remedy: "Send these first." });
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

/** Attaches files in order. Never throws; a file that cannot be read is reported with a toast. */
export async function addAttachments(session: string, files: Iterable<File>): Promise<void> {
  for (const file of [...files]) await addAttachment(session, file).catch(toastError);
}

/** The draft of a session as a message; `undefined` if it is empty. */
export function composedDraft(session: string): Composed | undefined {
  const { body, files } = draftOf(session);
  return composeMessage(body.get(), files.get());
}

function toastTooLarge(file: File, limit: string): void {
  toast({
    tone: "error",
    text: `${file.name} (${formatBytes(file.size)}) is too large. ${limit}`,
    remedy: "Put it in the session's folder and mention it with @.",
  });
}

function base64(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ""));
    reader.onerror = () => reject(reader.error ?? new Error(`${file.name} could not be read.`));
    reader.readAsDataURL(file);
  });
}

function draftPartId(): string {
  return `${Date.now().toString(36)}-${++lastPart}`;
}
