import { GantryError, type InputAnswer, type InputRequest } from "@gantry/protocol";
import { useState } from "react";
import { useCell, useCellPart } from "../store/cell.ts";
import { client } from "../store/client.ts";
import { connection } from "../store/connection.ts";
import { answerInput, discard, outbox } from "../store/outbox.ts";
import { toast, toastError } from "../store/toasts.ts";
import { elsewhereText, resolutionIn } from "./resolution.ts";

/** `kept`: the daemon is away and gets the answer when it is back. `sent`: the log's own word of it is on its way. */
type Standing = "open" | "sending" | "kept" | "sent";

export type Answering = {
  standing: Standing;
  send: (answer: InputAnswer) => void;
  /** Forgets an answer that still waits for the daemon. */
  takeBack: () => void;
};

const answeredHere = new Set<string>();

/** Was this input answered in this very tab? Otherwise its end comes as a surprise that is told. */
export function wasAnsweredHere(id: string): boolean {
  return answeredHere.has(id);
}

/** Answers one input. Whoever was faster elsewhere is told in passing. */
export function useAnswer(input: InputRequest): Answering {
  const [sent, setSent] = useState(false);
  const waiting = useCellPart(outbox, (list) => list.some((outgoing) => outgoing.id === input.id));
  const offline = useCell(connection).state === "offline";
  const send = async (answer: InputAnswer) => {
    answeredHere.add(input.id);
    try {
      const { state } = await answerInput(input, answer);
      if (state === "sent") setSent(true);
      if (state === "sent" && answer.decision === "allow_session") tellGrant(input);
    } catch (error) {
      answeredHere.delete(input.id);
      tellRefusal(input, error);
      setSent(isAnswered(error));
    }
  };
  return { standing: standing(sent, waiting, offline), send, takeBack: () => discard(input.id) };
}

function standing(sent: boolean, waiting: boolean, offline: boolean): Standing {
  if (waiting) return offline ? "kept" : "sending";
  return sent ? "sent" : "open";
}

function tellRefusal(input: InputRequest, error: unknown): void {
  const first = isAnswered(error) ? resolutionIn((error as GantryError).details) : undefined;
  if (!first) return toastError(error);
  toast({ tone: "info", text: elsewhereText(first), remedy: `${input.title}. Your own answer was not used.` });
}

function isAnswered(error: unknown): boolean {
  return error instanceof GantryError && error.code === "already_answered";
}

function tellGrant(input: InputRequest): void {
  const text = `Allowed for this session: ${input.scope?.label ?? input.title}`;
  toast({ tone: "info", text, action: { label: "Revoke", run: () => void revoke(input.id) } });
}

async function revoke(input: string): Promise<void> {
  try {
    const grant = (await client.grants()).find((entry) => entry.input === input);
    if (grant) await client.revokeGrant(grant.id);
    toast({ tone: "info", text: "Revoked: it will be asked again." });
  } catch (error) {
    toastError(error);
  }
}
