import type { Applied, Delivery } from "@gantry/protocol";
import type { Outcome } from "../../store/outbox.ts";

/** What became of a message, and why where that is not what was asked for. Nothing needs saying when it just started. */
export function outcomeWords(asked: Delivery, outcome: Outcome): string | undefined {
  if (outcome.state === "kept") return "Kept. It is sent as soon as the daemon answers.";
  const { sent } = outcome;
  if (!sent || (sent.disposition === "started" && asked === "auto")) return undefined;
  switch (sent.disposition) {
    case "started":
      return "The turn had ended: your message starts the next one.";
    case "steered":
      return "Steered: your message is in the running turn.";
    case "interrupting":
      return "Interrupting: your message is next.";
    case "queued": {
      const place = sent.position === undefined ? "" : `, place ${sent.position + 1}`;
      return asked === "steer" ? `It could not be steered in now: queued${place}.` : `Queued${place}.`;
    }
  }
}

const moments = {
  now: "from now on",
  next_turn: "from the next turn on",
  next_start: "once the agent has been started again",
} as const;

/** What a change to the session did, and when: `Mode: plan, from the next turn on.` */
export function appliedWords(applied: Applied["applied"]): string | undefined {
  const said = applied.filter(({ field }) => field !== "title" && field !== "archived");
  if (said.length === 0) return undefined;
  const words = said.map(({ field, value, when }) => `${capital(field)}: ${String(value)}, ${moments[when]}.`);
  return words.join(" ");
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
