import { type FakeAgent, playDirectly } from "../../agents/bare-pipe.ts";
import { Follower } from "../../client/follower.ts";
import { readStoredLog } from "../../client/stored-log.ts";
import { type Context, type Outcome, withServer } from "../../context.ts";
import { median, monotonicMs, peakWhile, percentile } from "../../measure.ts";
import type { Contestant, Conversation } from "../../server.ts";

export type Burst = {
  delivered: number;
  lost: number;
  disorder: number;
  /** The numbered events that are in the database after a kill, each at its place, minus all events that are missing there. */
  stored: number;
  /** From the creation of the first event to the arrival of the last. */
  ms: number;
  rate: number;
  /** Gantry: all events that the client received until then, also those that the agent did not number. */
  logged: number;
  p50: number;
  p99: number;
  peakMb: number;
};

/**
 * One burst behind a server, with one client. The server gets SIGKILL as soon as the client has received the last event;
 * for Gantry the log is then read from the database.
 */
export function measureBurst(
  context: Context,
  contestant: Contestant,
  count: number,
  send: (conversation: Conversation) => Promise<void> | undefined,
): Promise<Burst> {
  return withServer(context, contestant, async (server, home) => {
    const conversation = await server.open();
    const follower = new Follower(conversation);
    await follower.reader.opened;
    // The kill breaks the request of a server that answers it at the end of the turn.
    const turn = Promise.resolve(send(conversation)).catch(() => undefined);
    const { mb } = await peakWhile(server.pid, follower.settle(count, { quietMs: patienceWith(contestant) }));
    await server.kill();
    await turn;
    follower.close();
    const { seen, disorder, repeats, ms, logged, delays } = follower;
    return {
      delivered: seen.size,
      lost: count - seen.size,
      disorder: disorder + repeats,
      stored: contestant.name === "gantry" ? countStored(home, conversation, logged) : Number.NaN,
      ms,
      rate: (seen.size / ms) * 1000,
      logged,
      p50: percentile(delays, 0.5),
      p99: percentile(delays, 0.99),
      peakMb: mb,
    };
  });
}

/** Only a server that loses events makes the client wait for ones that never come. A loaded machine may stall any server. */
export function patienceWith({ name }: Contestant): number {
  return name === "gantry" ? 30_000 : 5_000;
}

function countStored(home: string, conversation: Conversation, logged: number): number {
  const { events, numbers, gaps } = readStoredLog(home, conversation);
  const missing = Math.max(0, logged - events);
  return numbers.filter((n, index) => n === index).length - gaps - missing;
}

/** The same agent with nothing but a pipe, a split into lines and JSON.parse: the floor. */
export async function measureBarePipe(context: Context, agent: FakeAgent, count: number, prompt: string) {
  const delays: number[] = [];
  let first: number | undefined;
  let delivered = 0;
  await playDirectly(agent, context.scratch("pipe"), prompt, (frame) => {
    const made = agent.madeAt(frame);
    if (made === undefined) return;
    delivered++;
    if (made === null) return;
    first ??= made;
    delays.push(monotonicMs() - made);
  });
  const ms = Math.max(1, monotonicMs() - (first ?? 0));
  const rate = (delivered / ms) * 1000;
  const [p50, p99] = [percentile(delays, 0.5), percentile(delays, 0.99)];
  const none = Number.NaN;
  return {
    delivered,
    lost: count - delivered,
    disorder: 0,
    stored: none,
    ms,
    rate,
    logged: none,
    p50,
    p99,
    peakMb: none,
  };
}

/** Medians; counts are those of the worst run. */
export function combineBursts(runs: readonly Burst[]): Burst {
  const of = (key: keyof Burst) => runs.map((run) => run[key]);
  return {
    delivered: Math.min(...of("delivered")),
    lost: Math.max(...of("lost")),
    disorder: Math.max(...of("disorder")),
    stored: Math.min(...of("stored")),
    ms: median(of("ms")),
    rate: median(of("rate")),
    logged: median(of("logged")),
    p50: median(of("p50")),
    p99: median(of("p99")),
    peakMb: median(of("peakMb")),
  };
}

/** The combined runs of each entrant. */
export function combineAll(outcomes: Record<string, Outcome<Burst[]>>): Record<string, Outcome<Burst>> {
  const combine = (outcome: Outcome<Burst[]>) =>
    "cannot" in outcome ? outcome : { result: combineBursts(outcome.result) };
  return Object.fromEntries(Object.entries(outcomes).map(([name, outcome]) => [name, combine(outcome)]));
}
