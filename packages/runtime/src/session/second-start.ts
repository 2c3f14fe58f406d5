import type { SessionView } from "@gantry/protocol";
import type { Exit } from "../process/exit.ts";
import { CONTINUITY } from "./engine/inputs.ts";
import type { Exchange, Talk } from "./exchange.ts";

/**
 * A process that ended before the talk was open was told nothing, so nothing is lost by starting another, once a turn:
 * some agents fail when several of them start in a fresh home, and a version may lack the channel it was taken for.
 */
export class SecondStart {
  #turn: string | undefined;

  /** Is the process of this turn the second one? */
  isOf(turn: string | undefined): boolean {
    return this.#turn !== undefined && this.#turn === turn;
  }

  /** Is it worth another? Says so once for each turn. */
  claim({ turn, inputs }: SessionView, talk: Talk | undefined): boolean {
    if (!turn || !talk || talk.ready || this.#turn === turn.id) return false;
    if (inputs.some((input) => input.native === CONTINUITY)) return false;
    this.#turn = turn.id;
    return true;
  }
}

/** Says that the first process has ended, and takes back what it asked: the second asks it again. */
export function startAgain(exchange: Exchange, { code, signal }: Exit): void {
  exchange.talk = undefined;
  for (const { id } of exchange.step.view.inputs) {
    const why = "the agent's process ended";
    exchange.step.emit("input.resolved", { id, decision: "cancel", by: "gantry", reason: why }, { synthetic: true });
  }
  const how = signal ? `was ended by ${signal}` : `exited with code ${code ?? "unknown"}`;
  const text = `The agent's process ${how} before the conversation was open. It is started once more.`;
  exchange.step.emit("notice", { kind: "restart", severity: "warning", text });
}
