import { z } from "zod";
import { AbsolutePath } from "../files/schema.ts";
import { AgentId } from "../ids/schema.ts";
import type { Route } from "../routing/route.ts";
import { Session } from "../sessions/schema.ts";
import { ExportFormat, ImportConversation, PastConversationList } from "./schema.ts";

/** What comes in from elsewhere and what goes out. */
export const transferRoutes = {
  listImports: {
    method: "GET",
    path: "/v1/imports",
    summary:
      "Conversations that agents have on this machine's disk, the newest first; no agent is started. As a stream, one `conversation` a row as it is found.",
    query: z.strictObject({
      agent: AgentId.optional(),
      cwd: AbsolutePath.optional(),
      limit: z.coerce.number().int().min(1).max(10_000).optional(),
    }),
    status: 200,
    response: PastConversationList,
    errors: ["no_such_agent", "unsupported", "invalid"],
    stream: true,
    client: "imports.list(query?)",
  },
  importConversation: {
    method: "POST",
    path: "/v1/imports",
    summary:
      "Makes a session of an agent's own conversation, which the next message goes on with. The same one again: 200, the same session. As a stream, `progress` and then `session`.",
    body: ImportConversation,
    status: 201,
    response: Session,
    errors: ["no_such_agent", "no_such_conversation", "unsupported", "outside_folder", "conflict"],
    stream: true,
    client: "imports.conversation(body)",
  },
  importFile: {
    method: "POST",
    path: "/v1/imports/file",
    summary: "Makes a session of a file that `export` has written. The same file again: 200, the same session.",
    query: z.strictObject({ cwd: AbsolutePath.optional() }),
    upload: true,
    status: 201,
    response: Session,
    errors: ["damaged_file", "unsupported", "unsupported_media", "too_large", "bad_request", "storage_full"],
  },
  exportSession: {
    method: "GET",
    path: "/v1/sessions/:id/export",
    summary:
      "The whole session as one file: `gantry` for another machine, `html` and `md` for people, `jsonl` for programs.",
    query: z.strictObject({ format: ExportFormat.optional(), redact: z.enum(["0", "1"]).optional() }),
    status: 200,
    response: z.unknown(),
    bytes: true,
    errors: ["no_such_session"],
  },
} as const satisfies Record<string, Route>;
