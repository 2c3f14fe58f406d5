import { z } from "zod";
import { AbsolutePath } from "../files/schema.ts";
import { AgentId } from "../ids/schema.ts";
import { decimal } from "../routing/decimal.ts";
import type { Route } from "../routing/route.ts";
import { Session } from "../sessions/schema.ts";
import { ExportFormat, ImportConversation, PastConversationList } from "./schema.ts";

/** Imports and exports of conversations. */
export const transferRoutes = {
  listImports: {
    method: "GET",
    path: "/v1/imports",
    summary:
      "Lists the agents' conversations on this machine's disk, newest first, without starting an agent. As a stream, one `conversation` frame per row when it is found.",
    query: z.strictObject({
      agent: AgentId.optional(),
      cwd: AbsolutePath.optional(),
      limit: decimal(1, 10_000).optional(),
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
      "Imports an agent's conversation as a session; the next message continues it. Idempotent: a repeated import returns 200 and the same session. As a stream, `progress` and then `session`.",
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
    summary: "Imports a file that `export` has written. Idempotent: the same file returns 200 and the same session.",
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
      "Exports a session as one file: `gantry` for another machine, `html` and `md` for people, `jsonl` for programs.",
    query: z.strictObject({ format: ExportFormat.optional(), redact: z.enum(["0", "1"]).optional() }),
    status: 200,
    response: z.unknown(),
    bytes: true,
    errors: ["no_such_session"],
  },
} as const satisfies Record<string, Route>;
