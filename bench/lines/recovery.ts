import { setTimeout as sleep } from "node:timers/promises";
import { type Context, endMarked, endOrphans, figures, type Line, onEach } from "../context.ts";
import { Follower } from "../follower.ts";
import { until } from "../measure.ts";
import type { Contestant, Server, Talk } from "../server.ts";
import type { Cell } from "../table.ts";

const COUNT = 20_000;
const KILL_AFTER = 2_000;
const SESSIONS = 50;
const TURN_SECONDS = 20;

/** The server is killed in the middle of the work and started again. */
export const recovery: Line = {
  name: "recovery",
  async run(context) {
    const single = await onEach(context, "recovery", (contestant) => cutBurst(context, contestant));
    const many = await onEach(context, "recovery", (contestant) => cutMany(context, contestant));
    return {
      name: "recovery",
      title: "Killed and started again",
      about: `The server gets SIGKILL when its client has seen ${KILL_AFTER.toLocaleString("en")} of 20,000 events, and is started again half a second later; the client comes back with the last id that it had. Lost: what the client had neither before nor after, and the server does not hold either. Then the same with 50 sessions in the middle of a turn of ${TURN_SECONDS} s: how many of these turns end well, and how many processes are still there five seconds after the server was stopped.`,
      rows: [
        { what: "ready again", unit: "ms", ...figures(single, ({ readyMs }) => readyMs) },
        { what: "turn finished after restart", unit: "ms", ...figures(single, ({ finishedMs }) => finishedMs) },
        { what: "events lost", unit: "", ...figures(single, ({ lost }) => lost), expected: 0 },
        { what: "out of order or twice", unit: "", ...figures(single, ({ disorder }) => disorder), expected: 0 },
        { what: "50 live: ready again", unit: "ms", ...figures(many, ({ readyMs }) => readyMs) },
        { what: "50 live: turns that ended well", unit: "", ...figures(many, (r) => r.complete), expected: SESSIONS },
        { what: "50 live: orphans after stop", unit: "", ...figures(many, ({ orphans }) => orphans), expected: 0 },
      ],
    };
  },
};

async function cutBurst(context: Context, contestant: Contestant) {
  const home = context.scratch(contestant.name);
  const first = await contestant.start(home);
  let second: Server | undefined;
  try {
    const talk = await first.open();
    const before = new Follower(talk);
    await before.reader.opened;
    talk.burst(COUNT).catch(() => undefined);
    await until("the middle of the burst", () => before.seen.size >= KILL_AFTER, { everyMs: 1 });
    await first.kill();
    before.close();
    await sleep(500);
    const restarted = performance.now();
    second = await contestant.start(home);
    const after = await comeBack(second, talk, before);
    const missing = COUNT - after.seen.size;
    const over = missing === 0 ? "its turn was over before the kill" : "the turn ends with the server";
    const finishedMs: Cell = after.finishedAt ? after.finishedAt - restarted : { cannot: over };
    return { readyMs: second.readyMs, finishedMs, lost: missing, disorder: after.disorder };
  } finally {
    await first.stop();
    await second?.stop();
    endMarked(first.mark);
    if (second) endMarked(second.mark);
  }
}

async function comeBack(server: Server, old: Talk, before: Follower) {
  const seen = new Set(before.seen);
  const talk = server.reopen(old.session);
  if (!talk) return { seen, disorder: before.disorder, finishedAt: undefined };
  const after = new Follower(talk, { lastId: before.reader.lastId });
  const opened = performance.now();
  const isOver = () => after.ends > 0 || (after.seen.size === 0 && performance.now() - opened > 8_000);
  await until("the turn's end", isOver, { limitMs: 60_000 }).catch(() => undefined);
  const finishedAt = after.ends > 0 ? after.reader.lastAt : undefined;
  after.close();
  const twice = [...after.seen].filter((n) => before.seen.has(n)).length;
  for (const n of [...after.seen, ...((await talk.stored?.()) ?? [])]) seen.add(n);
  return { seen, disorder: before.disorder + after.disorder + after.repeats + twice, finishedAt };
}

async function cutMany(context: Context, contestant: Contestant) {
  const home = context.scratch(contestant.name);
  const first = await contestant.start(home);
  let second: Server | undefined;
  let complete = 0;
  try {
    const talks = await Promise.all(Array.from({ length: SESSIONS }, () => first.open()));
    const followers = talks.map((talk) => new Follower(talk));
    for (const talk of talks) talk.dawdle(TURN_SECONDS).catch(() => undefined);
    await until("all at work", () => followers.every(({ seen }) => seen.size > 0), { limitMs: 90_000 });
    await first.kill();
    for (const follower of followers) follower.close();
    await sleep(500);
    second = await contestant.start(home);
    const again = second;
    const ended = await Promise.all(talks.map((talk) => endsWell(again, talk)));
    complete = ended.filter(Boolean).length;
  } finally {
    await first.stop();
    await second?.stop();
  }
  const orphans = await endOrphans(first.mark, second.mark);
  return { readyMs: second.readyMs, complete, orphans };
}

async function endsWell(server: Server, old: Talk): Promise<boolean> {
  const talk = server.reopen(old.session);
  if (!talk) return false;
  const follower = new Follower(talk);
  const limitMs = (TURN_SECONDS + 20) * 1000;
  await until("the turn's end", () => follower.ends > 0, { limitMs, everyMs: 50 }).catch(() => undefined);
  follower.close();
  return follower.ends > 0;
}
