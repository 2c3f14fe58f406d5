import type { Applied, Delivery } from "@gantry/protocol";
import type { Outcome } from "../../store/outgoing/outbox.ts";

/** A notice about how a message was delivered. `undefined` if it simply started a turn. */
export function outcomeText(requested: Delivery, outcome: Outcome): string | undefined {
  if (outcome.state === "stored") return "Saved in this browser. It will be sent when the daemon is back.";
  const { sent } = outcome;
  if (!sent || (sent.disposition === "started" && requested === "auto")) return undefined;
  switch (sent.disposition) {
    case "started":
      return "The turn had already ended. Your message starts the next turn.";
    case "steered":
      return "Steered into the running turn.";
    case "interrupting":
      return "Interrupting. Your message is next.";
    case "queued": {
      const queued = sent.position === undefined ? "Queued." : `Queued at position ${sent.position + 1}.`;
      return requested === "steer" ? `Could not steer right now. ${queued}` : queued;
    }
  }
}

const effectiveTimes = {
  now: "effective now",
  next_turn: "effective from the next turn",
  next_start: "effective after the agent restarts",
} as const;

/** What a change to the session did and when, for example `Mode: plan, effective from the next turn.` */
export function appliedText(applied: Applied["applied"]): string | undefined {
  const shown = applied.filter(({ field }) => field !== "title" && field !== "archived");
  if (shown.length === 0) return undefined;
  const sentences = shown.map(
    ({ field, value, when }) => `${capital(field)}: ${String(value)}, ${effectiveTimes[when]}.`,
  );
  return sentences.join(" ");
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
