import type { Readable } from "node:stream";
import type {
  ExportFormat,
  ImportConversation,
  ImportProgress,
  PastConversation,
  PastConversationList,
  Session,
} from "@gantry/protocol";

export type Imported = { session: Session; created: boolean };

/** Conversations and sessions from elsewhere, and sessions for elsewhere. Calls throw `GantryError`. */
export interface TransferService {
  /** What agents have on disk, the newest first. `onFound` gets each as it is found. */
  list(
    query: { agent?: string; cwd?: string; limit: number },
    onFound?: (found: PastConversation) => void,
  ): Promise<PastConversationList>;
  importConversation(body: ImportConversation, onProgress?: (progress: ImportProgress) => void): Promise<Imported>;
  /** `file` is read once, to its end or until it is too large; `bytes` is what it claims to be. */
  importFile(file: Readable, options: { cwd?: string; bytes?: number }): Promise<Imported>;
  /** Throws `no_such_session` before the first piece. */
  export(session: string, format: ExportFormat, options: { redact: boolean }): Exported;
}

/** A file that is made while it is sent. */
export type Exported = { name: string; type: string; pieces: AsyncIterable<string | Uint8Array> };
