import { rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Envelope, Failure } from "@gantry/protocol";
import { SWITCH_FILE } from "@gantry/testkit";
import { findBreaches } from "../harness/laws.ts";
import { eventually } from "../harness/wait.ts";
import { type FaultCase, nameOf } from "./fault-case.ts";
import { agentOf, type FaultDaemon, processesBelow } from "./fault-daemon.ts";

/** What Gantry promises for every fault. A broken promise has its reason. */
export type Promised = "laws" | "outcome" | "next" | "orphans" | "health" | "lost" | "bounds";
export const promises: readonly Promised[] = ["laws", "outcome", "next", "orphans", "health", "lost", "bounds"];

export type CaseResult = { name: string; outcome: string; broken: Partial<Record<Promised, string>> };

const PATIENCE_MS = 120_000;
const MAX_EVENTS = 8000;
const MAX_BYTES = 12_000_000;

/** A case whose session was created; its fault is at work. */
export class RunningCase {
  readonly #daemon: FaultDaemon;
  readonly #case: FaultCase;
  readonly #folder: string;
  #id = "";

  constructor(daemon: FaultDaemon, one: FaultCase) {
    this.#daemon = daemon;
    this.#case = one;
    this.#folder = daemon.createFolder(one.switches);
  }

  async start(): Promise<void> {
    const { client } = this.#daemon;
    const agent = agentOf(this.#case.protocol);
    const session = await client.sessions.create({ agent, cwd: this.#folder, prompt: "[[text]] one" });
    this.#id = session.id;
  }

  /** Waits for the end of the turn, repairs the agent, sends another message and checks the log. */
  async finish(): Promise<CaseResult> {
    const broken: CaseResult["broken"] = {};
    if (this.#case.stop) await this.#stopTurn();
    const outcome = await this.#endOfTurn(1).catch((error: Error) => error.message);
    if (!this.#case.expect.includes(outcome.split(" ")[0] ?? "")) broken.outcome = outcome;
    rmSync(join(this.#folder, SWITCH_FILE));
    const { client } = this.#daemon;
    const next = await client.sessions
      .send(this.#id, { text: "[[text]] two" })
      .then(() => this.#endOfTurn(2))
      .catch((error: Error) => error.message);
    if (next.split(" ")[0] !== "completed") broken.next = next;
    const log = await this.#log();
    const breaches = findBreaches(log).filter((breach) => !breach.startsWith("raw ("));
    if (breaches.length > 0) broken.laws = breaches[0];
    const bytes = log.reduce((sum, event) => sum + JSON.stringify(event).length, 0);
    if (log.length > MAX_EVENTS || bytes > MAX_BYTES) broken.bounds = `${log.length} events, ${bytes} bytes`;
    const lost = findLost(log);
    if (lost) broken.lost = lost;
    await client.sessions.delete(this.#id);
    const orphans = await this.#orphans();
    if (orphans.length > 0) broken.orphans = orphans.join("; ").slice(0, 200);
    return { name: nameOf(this.#case), outcome, broken };
  }

  /** Stops the turn once the agent works on it. */
  async #stopTurn(): Promise<void> {
    await eventually("output", async () => (await this.#log()).some(({ type }) => type === "turn.started"));
    await sleep(1500);
    // Another fault may have ended the turn.
    await this.#daemon.client.sessions.interrupt(this.#id).catch(() => undefined);
  }

  /** The outcome of the turn, with the category and the reason of a failure. Inputs are allowed where possible. */
  async #endOfTurn(turns: number): Promise<string> {
    const { client } = this.#daemon;
    return eventually(
      `the end of turn ${turns}`,
      async () => {
        const view = await client.sessions.get(this.#id);
        for (const { id } of view.inputs) {
          await client
            .answer(id, { decision: "allow" })
            .catch(() => client.answer(id, { decision: "deny" }).catch(() => {}));
        }
        if (view.turn || view.turns < turns || !view.lastTurn || view.queue.length > 0) return undefined;
        const { outcome } = view.lastTurn;
        const error = view.lastTurn.error as Failure | undefined;
        return error ? `${outcome}:${error.category} ${error.message.slice(0, 200)}` : outcome;
      },
      PATIENCE_MS,
    );
  }

  async #log(): Promise<Envelope[]> {
    const log: Envelope[] = [];
    for (let after = 0; ; ) {
      const { events } = await this.#daemon.client.sessions.events(this.#id, { limit: 1000, after });
      log.push(...events);
      after = events.at(-1)?.seq ?? after;
      if (events.length < 1000) return log;
    }
  }

  async #orphans(): Promise<string[]> {
    const list = () => processesBelow(this.#folder).map(({ command }) => command);
    await eventually("the end of the processes", () => list().length === 0, 8000).catch(() => undefined);
    return list();
  }
}

/** A message without a final delivery, or a completed turn without the agent's text. */
function findLost(log: readonly Envelope[]): string | undefined {
  const sent = log.flatMap((event) => (event.type === "message.user" ? [event.data.message] : []));
  const settled = new Set(
    log.flatMap((event) =>
      event.type === "message.delivery" && !["queued", "sent", "edited"].includes(event.data.state)
        ? [event.data.message]
        : [],
    ),
  );
  const unsettled = sent.filter((message) => !settled.has(message));
  if (unsettled.length > 0) return `${unsettled.length} messages have no final delivery`;
  const isSilent = log.every(({ type }) => type !== "message.done");
  return isSilent ? "no text of the agent was stored" : undefined;
}
