import { writeFile } from "node:fs/promises";
import type { Message } from "@gantry/models";
import type { AgentMessage } from "../contract/messages.ts";
import { toModelMessages } from "../loop/to-model.ts";
import { HANDOFF_PROMPT } from "./prompts.ts";

/** The conversation as it is, so that the provider's cache holds, and at its end the wish for the document. */
export function handoffMessages(messages: readonly AgentMessage[], instructions: string | undefined): Message[] {
  const wish = instructions ? `${HANDOFF_PROMPT}\nThe user wants this from it: ${instructions}` : HANDOFF_PROMPT;
  return [...toModelMessages(messages), { role: "user", content: wish, timestamp: Date.now() }];
}

/** Beside the session's file; a session without one has no place for it. */
export async function saveHandoff(sessionFile: string | undefined, text: string): Promise<string | undefined> {
  if (sessionFile === undefined) return undefined;
  const path = sessionFile.replace(/(\.jsonl)?$/, "-handoff.md");
  await writeFile(path, `${text}\n`, { mode: 0o600 });
  return path;
}
