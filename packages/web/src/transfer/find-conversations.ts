import type { PastConversation } from "@gantry/protocol";

/** Conversations whose title, folder, agent or id contain every term of the query. */
export function findConversations(all: readonly PastConversation[], query: string): readonly PastConversation[] {
  const terms = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (terms.length === 0) return all;
  return all.filter(({ title = "", cwd = "", agent, id }) => {
    const text = `${title} ${cwd} ${agent} ${id}`.toLowerCase();
    return terms.every((term) => text.includes(term));
  });
}
