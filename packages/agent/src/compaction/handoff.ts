import { writeFile } from "node:fs/promises";
import type { Message } from "@gantry/models";
import type { AgentMessage } from "../contract/messages.ts";
import { toModelMessages } from "../loop/to-model.ts";
import { HANDOFF_PROMPT } from "./prompts.ts";

/** The unchanged conversation, so that the provider's cache applies, followed by the request for the document. */
export function handoffMessages(messages: readonly AgentMessage[], instructions: string | undefined): Message[] {
  const request = instructions ? `${HANDOFF_PROMPT}\nInstructions from the user: ${instructions}` : HANDOFF_PROMPT;
  return [...toModelMessages(messages), { role: "user", content: request, timestamp: Date.now() }];
}

/** Saves the document next to the session file. Returns its path, or `undefined` for a session in memory. */
export async function saveHandoff(sessionFile: string | undefined, text: string): Promise<string | undefined> {
  if (sessionFile === undefined) return undefined;
  const path = sessionFile.replace(/(\.jsonl)?$/, "-handoff.md");
  await writeFile(path, `${text}\n`, { mode: 0o600 });
  return path;
}
