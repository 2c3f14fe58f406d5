import type { Conversation } from "@gantry/protocol";
import { rpcNotification } from "../../../framing/json-rpc.ts";
import type { ConversationListing, ProbeTools } from "../../contract.ts";
import { compact, fields, list, nonBlank, number } from "../../fields.ts";
import { conversationTitle, listPages } from "../../kit/conversation-pages.ts";
import { CLIENT } from "../app-server/encode.ts";

const PAGE_SIZE = 100;
/** Without the list, threads that another client of the app-server started are left out. */
const SOURCES = ["cli", "vscode", "exec", "appServer"];
/** Seconds of the last time that a date can hold. */
const LAST_SECOND = 8.64e12;

/** Lists the stored threads with `thread/list`, without those of subagents. Never rejects. */
export function listThreads(tools: ProbeTools, cwd?: string): Promise<ConversationListing> {
  const protocol = {
    args: ["app-server"],
    wrap: (message: object) => message,
    initialize: CLIENT,
    afterInitialize: () => [rpcNotification("initialized")],
    method: "thread/list",
    params: (page: { cwd?: string; cursor?: string }) =>
      compact({ ...page, limit: PAGE_SIZE, sortKey: "updated_at", modelProviders: [], sourceKinds: SOURCES }),
    read: (result: { data?: unknown }) => list(result.data).flatMap(readThread),
    needsLogin: () => false,
    errorText: ({ message }: { message: string }) => message,
  };
  return listPages(protocol, tools, cwd);
}

function readThread(value: unknown): Conversation[] {
  const { id: native, name, preview, cwd, updatedAt, createdAt, ephemeral, parentThreadId } = fields(value);
  const id = nonBlank(native);
  if (!id || ephemeral === true || nonBlank(parentThreadId)) return [];
  const title = conversationTitle(name) ?? conversationTitle(preview);
  const seconds = number(updatedAt) ?? number(createdAt);
  const time = seconds !== undefined && seconds >= 0 && seconds <= LAST_SECOND ? new Date(seconds * 1000) : undefined;
  return [compact({ id, title, cwd: nonBlank(cwd), updatedAt: time?.toISOString() })];
}
