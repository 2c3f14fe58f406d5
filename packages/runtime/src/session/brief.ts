import type { Envelope } from "@gantry/protocol";

const LIMIT = 24_000;

/**
 * What an agent is told when a conversation goes on without its native memory: the messages of both sides from the log,
 * the newest kept whole where they do not all fit.
 */
export function brief(events: Iterable<Envelope>): string {
  const lines: string[] = [];
  for (const event of events) {
    if (event.type === "message.user") lines.push(`User: ${event.data.text}`);
    if (event.type === "message.done" && !event.data.parent) lines.push(`Assistant: ${event.data.text}`);
    if (event.type === "tool.started") lines.push(`(The assistant used ${event.data.name}: ${event.data.title})`);
  }
  const kept: string[] = [];
  let length = 0;
  for (const line of lines.reverse()) {
    length += line.length + 1;
    if (length > LIMIT && kept.length > 0) {
      kept.push("(Earlier messages are left out.)");
      break;
    }
    kept.push(line.slice(0, LIMIT));
  }
  return `This conversation was begun earlier and goes on here. What was said so far:\n\n${kept.reverse().join("\n")}\n\nThe next message of the user:`;
}
