import type { Conversation } from "@gantry/protocol";
import type { ConversationListing, ProbeTools } from "../../contract.ts";
import { compact, fields, firstLine, list, nonBlank, number } from "../../fields.ts";
import { FOLLOW } from "./decode.ts";
import { sdkFailure } from "./failures.ts";

const LIST_MS = 30_000;
const TITLE_LIMIT = 200;

/** Lists the conversations of a folder and, with a key, the agents in Cursor's cloud. Never rejects. */
export async function listConversations(tools: ProbeTools, cwd?: string): Promise<ConversationListing> {
  const { stdout, stderr } = await tools.run(["conversations", ...(cwd ? [cwd] : [])], { timeoutMs: LIST_MS });
  const answer = stdout.split("\n").flatMap(parseAnswer)[0];
  if (!answer) {
    const failure = sdkFailure({ message: firstLine(stderr) });
    const why = failure.category === "auth" ? "login" : "failed";
    return { ok: false, why, message: failure.message };
  }
  const conversations = list(answer.items).flatMap(readConversation);
  return { ok: true, conversations, complete: answer.complete === true && answer.error === undefined };
}

function parseAnswer(line: string): Record<string, unknown>[] {
  try {
    const found = fields(JSON.parse(line));
    return found.type === "conversations" ? [found] : [];
  } catch {
    return [];
  }
}

function readConversation(value: unknown): Conversation[] {
  const { id, title, cwd, updatedAt, cloud, status } = fields(value);
  const native = nonBlank(id);
  if (!native) return [];
  const time = number(updatedAt);
  const at = time === undefined || !Number.isFinite(time) || time > 8.64e15 ? undefined : new Date(time).toISOString();
  const about = firstLine(nonBlank(title) ?? "", TITLE_LIMIT);
  const where = cloud === true ? `cloud${nonBlank(status) ? `, ${status}` : ""}` : undefined;
  const follow = where && FOLLOW;
  return [compact({ id: native, title: about || undefined, cwd: nonBlank(cwd), updatedAt: at, where, follow })];
}
