import type { Conversation } from "@gantry/protocol";
import { withVersion } from "../../../framing/json-rpc.ts";
import type { ConversationListing, ProbeTools } from "../../contract.ts";
import { compact, fields, list, nonBlank } from "../../fields.ts";
import { conversationTitle, listPages } from "../../kit/conversation-pages.ts";
import type { Dialect } from "../dialect.ts";
import { errorText, needsLogin } from "../failures.ts";
import { readCapabilities } from "../opening/capabilities.ts";
import { initializeParams } from "../opening/initialize.ts";

/** Lists the agent's conversations with `session/list`. Never rejects. */
export async function listConversations(
  dialect: Dialect,
  tools: ProbeTools,
  cwd?: string,
): Promise<ConversationListing> {
  if (dialect.listsByFolder && cwd === undefined) {
    return { ok: false, why: "unsupported", message: "it lists one folder at a time." };
  }
  const protocol = {
    args: dialect.args,
    wrap: (message: object) => withVersion(message as never),
    initialize: initializeParams(dialect.version),
    afterInitialize: (result: object) => (readCapabilities(fields(result)).list ? [] : undefined),
    method: "session/list",
    params: compact,
    read: (result: { sessions?: unknown }) => list(result.sessions).flatMap(readConversation),
    needsLogin,
    errorText,
  };
  return listPages(protocol, tools, cwd);
}

function readConversation(value: unknown): Conversation[] {
  const { sessionId, title, cwd, updatedAt } = fields(value);
  const id = nonBlank(sessionId);
  if (!id) return [];
  return [
    compact({ id, title: conversationTitle(title), cwd: nonBlank(cwd), updatedAt: readTime(nonBlank(updatedAt)) }),
  ];
}

function readTime(value: string | undefined): string | undefined {
  const time = Date.parse(value ?? "");
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}
