import { type Envelope, foldSession, pairs } from "@gantry/protocol";
import type { Agent, ConversationHead, HistoryPlace } from "../../../agents/contract.ts";
import { ConversationReplay } from "../replay.ts";

/** All that an agent has in a place, the newest first. */
export async function headsOf(agent: Agent, place: HistoryPlace): Promise<ConversationHead[]> {
  const heads: ConversationHead[] = [];
  for await (const head of agent.history?.find(place) ?? []) heads.push(head);
  return heads;
}

/** The log that a conversation becomes, with ids counted from 1. */
export async function replayHistory(agent: Agent, place: HistoryPlace, head: ConversationHead): Promise<Envelope[]> {
  const data = { agent: agent.id, mode: "ask" as const, cwd: "/workspace", title: "T", origin: "import" };
  const at = head.startedAt ?? "2020-01-01T00:00:00.000Z";
  const first: Envelope = { v: 1, session: "ses_1", seq: 1, at, type: "session.created", data };
  let count = 0;
  const replay = new ConversationReplay(foldSession(undefined, first), {
    id: (kind) => `${kind.slice(0, 3)}_${++count}`,
    agent,
  });
  const events: Envelope[] = [first];
  for await (const past of agent.history?.read(head, place) ?? []) events.push(...replay.take(past));
  events.push(...replay.closeOpen("the end"));
  return events;
}

/** The laws that a log breaks: gap-free numbers, times that do not run backwards, one end for each start. */
export function breaches(events: readonly Envelope[]): string[] {
  const found: string[] = [];
  const open = new Map<string, number>();
  events.forEach((event, index) => {
    if (event.seq !== index + 1) found.push(`${event.seq} follows ${index}`);
    if (index > 0 && event.at < (events[index - 1]?.at ?? "")) found.push(`${event.seq} is before ${index}`);
    for (const { start, end, key } of pairs) {
      const name = key === "turn" ? event.turn : (event.data as Record<string, unknown>)[key];
      if (event.type === start) open.set(`${start} ${name}`, (open.get(`${start} ${name}`) ?? 0) + 1);
      if (event.type !== end) continue;
      if ((open.get(`${start} ${name}`) ?? 0) !== 1) found.push(`${event.seq}: ${end} without a start`);
      open.delete(`${start} ${name}`);
    }
  });
  return [...found, ...[...open.keys()].map((name) => `${name} has no end`)];
}

/** Each turn as one line: prompt, ends of tools, and outcome. */
export function turnsOf(events: readonly Envelope[]): string[] {
  const turns: string[][] = [];
  for (const event of events) {
    const turn = turns.at(-1);
    if (event.type === "message.user" && event.data.delivery !== "steer") turns.push([event.data.text]);
    if (event.type === "message.user" && event.data.delivery === "steer") turn?.push(`+${event.data.text}`);
    if (event.type === "tool.ended") {
      const { status, exitCode, changes } = event.data;
      turn?.push([status, exitCode ?? "", changes?.map(({ kind }) => kind).join() ?? ""].join(":").replace(/:+$/, ""));
    }
    if (event.type === "turn.ended") turn?.push(event.data.error?.category ?? event.data.outcome);
  }
  return turns.map((turn) => turn.join(" | "));
}
