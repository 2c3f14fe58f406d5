import type { Readable } from "node:stream";
import type {
  ExportFormat,
  ImportConversation,
  ImportProgress,
  PastConversation,
  PastConversationList,
  Session,
} from "@gantry/protocol";

/** `bytes` is the claimed size. `signal` is aborted when the client disconnects. */
export type ImportOptions = { cwd?: string; bytes?: number; signal?: AbortSignal };
export type Imported = { session: Session; created: boolean };

/** Imports conversations and sessions, and exports sessions. Methods throw `GantryError`. */
export interface TransferService {
  /** Conversations on disk, newest first. `onFound` receives each one immediately. */
  list(
    query: { agent?: string; cwd?: string; limit: number },
    onFound?: (found: PastConversation) => void,
  ): Promise<PastConversationList>;
  importConversation(body: ImportConversation, onProgress?: (progress: ImportProgress) => void): Promise<Imported>;
  /** Reads `file` once, to its end or until it is too large. Stops before the first write if `signal` is aborted. */
  importFile(file: Readable, options: ImportOptions): Promise<Imported>;
  /** Throws `no_such_session` before the first piece. */
  export(session: string, format: ExportFormat, options: { redact: boolean }): Exported;
}

/** A file that is streamed while it is created. */
export type Exported = { name: string; type: string; pieces: AsyncIterable<string | Uint8Array> };
