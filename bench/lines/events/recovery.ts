import { setTimeout as sleep } from "node:timers/promises";
import { Follower } from "../../client/follower.ts";
import { type Context, endMarked, endOrphans, figures, type Line, onEach } from "../../context.ts";
import { until } from "../../measure.ts";
import type { Cell } from "../../report/table.ts";
import type { Contestant, Conversation, Server } from "../../server.ts";

const COUNT = 20_000;
const KILL_AFTER = 2_000;
const SESSIONS = 50;
const TURN_SECONDS = 20;

/** The server is killed during the work and restarted. */
export const recovery: Line = {
  name: "recovery",
  async run(context) {
    const single = await onEach(context, "recovery", (contestant) => killDuringBurst(context, contestant));
    const many = await onEach(context, "recovery", (contestant) => killManySessions(context, contestant));
    return {
      name: "recovery",
      title: "Killed and restarted",
      about: `The server gets SIGKILL when its client has seen ${KILL_AFTER.toLocaleString("en")} of 20,000 events, and is restarted half a second later; the client reconnects with its last id. Lost: events that the client got neither before nor after, and that the server does not have. Then the same with 50 sessions during a turn of ${TURN_SECONDS} s: how many of these turns complete, and how many processes still run five seconds after the server has stopped.`,
      rows: [
        { what: "ready again", unit: "ms", ...figures(single, ({ readyMs }) => readyMs) },
        { what: "turn finished after restart", unit: "ms", ...figures(single, ({ finishedMs }) => finishedMs) },
        { what: "events lost", unit: "", ...figures(single, ({ lost }) => lost), expected: 0 },
        { what: "out of order or twice", unit: "", ...figures(single, ({ disorder }) => disorder), expected: 0 },
        { what: "50 live: ready again", unit: "ms", ...figures(many, ({ readyMs }) => readyMs) },
        { what: "50 live: turns completed", unit: "", ...figures(many, (r) => r.complete), expected: SESSIONS },
        { what: "50 live: orphans after stop", unit: "", ...figures(many, ({ orphans }) => orphans), expected: 0 },
      ],
    };
  },
};

async function killDuringBurst(context: Context, contestant: Contestant) {
  const home = context.scratch(contestant.name);
  const first = await contestant.start(home);
  let second: Server | undefined;
  try {
    const conversation = await first.open();
    const before = new Follower(conversation);
    await before.reader.opened;
    conversation.burst(COUNT).catch(() => undefined);
    await until("the middle of the burst", () => before.seen.size >= KILL_AFTER, { everyMs: 1 });
    await first.kill();
    before.close();
    await sleep(500);
    const restarted = performance.now();
    second = await contestant.start(home);
    const after = await reconnectTo(second, conversation, before);
    const missing = COUNT - after.seen.size;
    const reason = missing === 0 ? "its turn ended before the kill" : "the turn ends with the server";
    const finishedMs: Cell = after.finishedAt ? after.finishedAt - restarted : { cannot: reason };
    return { readyMs: second.readyMs, finishedMs, lost: missing, disorder: after.disorder };
  } finally {
    await first.stop();
    await second?.stop();
    endMarked(first.mark);
    if (second) endMarked(second.mark);
  }
}

async function reconnectTo(server: Server, old: Conversation, before: Follower) {
  const seen = new Set(before.seen);
  const conversation = server.reopen(old.session);
  if (!conversation) return { seen, disorder: before.disorder, finishedAt: undefined };
  const after = new Follower(conversation, { lastId: before.reader.lastId });
  const opened = performance.now();
  const isDone = () => after.ends > 0 || (after.seen.size === 0 && performance.now() - opened > 8_000);
  await until("the turn's end", isDone, { limitMs: 60_000 }).catch(() => undefined);
  const finishedAt = after.ends > 0 ? after.reader.lastAt : undefined;
  after.close();
  const twice = [...after.seen].filter((n) => before.seen.has(n)).length;
  for (const n of [...after.seen, ...((await conversation.stored?.()) ?? [])]) seen.add(n);
  return { seen, disorder: before.disorder + after.disorder + after.repeats + twice, finishedAt };
}

async function killManySessions(context: Context, contestant: Contestant) {
  const home = context.scratch(contestant.name);
  const first = await contestant.start(home);
  let second: Server | undefined;
  let complete = 0;
  try {
    const conversations = await Promise.all(Array.from({ length: SESSIONS }, () => first.open()));
    const followers = conversations.map((conversation) => new Follower(conversation));
    for (const conversation of conversations) conversation.workSlowly(TURN_SECONDS).catch(() => undefined);
    await until("all at work", () => followers.every(({ seen }) => seen.size > 0), { limitMs: 90_000 });
    await first.kill();
    for (const follower of followers) follower.close();
    await sleep(500);
    second = await contestant.start(home);
    const again = second;
    const ended = await Promise.all(conversations.map((conversation) => completesTurn(again, conversation)));
    complete = ended.filter(Boolean).length;
  } finally {
    await first.stop();
    await second?.stop();
  }
  const orphans = await endOrphans(first.mark, second.mark);
  return { readyMs: second.readyMs, complete, orphans };
}

async function completesTurn(server: Server, old: Conversation): Promise<boolean> {
  const conversation = server.reopen(old.session);
  if (!conversation) return false;
  const follower = new Follower(conversation);
  const limitMs = (TURN_SECONDS + 20) * 1000;
  await until("the turn's end", () => follower.ends > 0, { limitMs, everyMs: 50 }).catch(() => undefined);
  follower.close();
  return follower.ends > 0;
}
