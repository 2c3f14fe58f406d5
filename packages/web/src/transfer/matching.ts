import type { PastConversation } from "@gantry/protocol";

/** Conversations that hold every word in their title, folder, agent or id, in their order. */
export function matchingConversations(all: readonly PastConversation[], words: string): readonly PastConversation[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return all;
  return all.filter(({ title = "", cwd = "", agent, id }) => {
    const text = `${title} ${cwd} ${agent} ${id}`.toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
}
