import type { Form } from "../inputs/elicitation.ts";
import type { PermissionRequest } from "../inputs/permission.ts";
import type { ConfigOption } from "../requests/config-options.ts";
import type { Update } from "../updates/update.ts";

export type FormReply = { action: string; content?: Record<string, unknown> | null };

/** The editor behind one connection, the same for both protocol versions. Methods reject when the connection has ended. */
export type EditorClient = {
  /** Whether the response to a prompt reports the end of its turn (version 1) or its start (version 2). */
  readonly promptEnds: boolean;
  update(session: string, update: Update): Promise<void>;
  /** The session's settings after a change. */
  updateConfig(session: string, options: readonly ConfigOption[]): Promise<void>;
  /** Resolves with the chosen option; `undefined` if the user made no choice. */
  requestPermission(session: string, request: PermissionRequest, signal: AbortSignal): Promise<string | undefined>;
  /** Absent: the editor has no forms. */
  elicit?(session: string, form: Form & { tool?: string }, signal: AbortSignal): Promise<FormReply>;
  /** The session's folder, for terminals and relative paths. */
  setFolder(session: string, cwd: string): void;
};
