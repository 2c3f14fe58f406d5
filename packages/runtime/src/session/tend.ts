import { type SessionView, sessionState } from "@gantry/protocol";
import type { Config } from "../config.ts";
import { isRefusal } from "../limits/breaker.ts";
import type { Pulse } from "./exchange.ts";
import type { Watchdogs } from "./watchdogs.ts";

/** How long a message may wait between being handed over at a turn's end and a sign that the agent has it. */
const SETTLE_SECONDS = 5;

/** Sets every deadline to what the session waits for now. Called after each batch with what happened in it. */
export function tend(
  dogs: Watchdogs,
  { deadlines, idleSeconds, limits }: Config,
  view: SessionView,
  talk: { linked: boolean; ready: boolean; trailMs?: number },
  pulse: Pulse,
): void {
  const running = view.turn !== undefined;
  const asked = sessionState(view) === "waiting";
  const works = running && talk.ready && !asked;
  if (pulse.login) dogs.arm("handshake", deadlines.loginSeconds);
  dogs.keep("handshake", talk.linked && !talk.ready && !asked, deadlines.handshakeSeconds);
  if (pulse.prompted) dogs.arm("firstOutput", deadlines.firstOutputSeconds);
  else if (pulse.progress || pulse.retry || !running) dogs.disarm("firstOutput");
  if (!running || pulse.progress) dogs.disarm("retry");
  if (running && pulse.retry) {
    const against = limits.enabled && isRefusal(pulse.retry) ? limits : deadlines;
    dogs.arm("retry", Math.min(against.retrySeconds, deadlines.retrySeconds));
  }
  if (pulse.interrupted) dogs.arm("interrupt", deadlines.interruptSeconds);
  if (!running) dogs.disarm("interrupt");
  dogs.keep("turn", works, deadlines.turnSeconds);
  dogs.keep("silence", works && view.tools.length === 0, deadlines.silenceSeconds, pulse.heard);
  dogs.keep("settle", !running && view.sent.length > 0, SETTLE_SECONDS);
  dogs.keep("trail", talk.trailMs !== undefined, (talk.trailMs ?? 0) / 1000);
  const waits = view.queue.length > 0 && !view.limit;
  const busy = running || view.sent.length > 0 || waits || view.inputs.length > 0;
  dogs.keep("idle", talk.linked && !busy, idleSeconds);
}
