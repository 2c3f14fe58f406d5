import { GantryError, type InputAnswer, type InputRequest } from "@gantry/protocol";
import { useState } from "react";
import { useCell, useCellPart } from "../store/cell.ts";
import { client } from "../store/connection/client.ts";
import { connection } from "../store/connection/connection.ts";
import { answerInput, discard, outbox } from "../store/outgoing/outbox.ts";
import { toast, toastError } from "../store/toasts.ts";
import { answeredElsewhereText, parseResolution } from "./resolution.ts";

/** `stored`: the daemon is unreachable and gets the answer later. `sent`: its event has not arrived yet. */
type AnswerState = "open" | "sending" | "stored" | "sent";

export type Answering = {
  state: AnswerState;
  send: (answer: InputAnswer) => void;
  /** Discards an answer that waits for the daemon. */
  withdraw: () => void;
};

const answeredHere = new Set<string>();

/** Remembers that this tab answers the input, before its outcome arrives. */
export function noteAnswer(id: string): void {
  answeredHere.add(id);
}

/** Whether this input was answered in this tab. Otherwise a toast shows its outcome. */
export function wasAnsweredHere(id: string): boolean {
  return answeredHere.has(id);
}

/** Answers one input. Shows a toast if another client was faster. */
export function useAnswer(input: InputRequest): Answering {
  const [sent, setSent] = useState(false);
  const waiting = useCellPart(outbox, (list) => list.some((outgoing) => outgoing.id === input.id));
  const offline = useCell(connection).state === "offline";
  const send = async (answer: InputAnswer) => {
    answeredHere.add(input.id);
    try {
      const { state } = await answerInput(input, answer);
      if (state === "sent") setSent(true);
      if (state === "sent" && answer.decision === "allow_session") toastGrant(input);
    } catch (error) {
      answeredHere.delete(input.id);
      toastRefusal(input, error);
      setSent(isAnswered(error));
    }
  };
  return { state: answerState(sent, waiting, offline), send, withdraw: () => discard(input.id) };
}

function answerState(sent: boolean, waiting: boolean, offline: boolean): AnswerState {
  if (waiting) return offline ? "stored" : "sending";
  return sent ? "sent" : "open";
}

function toastRefusal(input: InputRequest, error: unknown): void {
  const first = isAnswered(error) ? parseResolution((error as GantryError).details) : undefined;
  if (!first) return toastError(error);
  toast({ tone: "info", text: answeredElsewhereText(first), remedy: `${input.title}. Your answer was not used.` });
}

function isAnswered(error: unknown): boolean {
  return error instanceof GantryError && error.code === "already_answered";
}

function toastGrant(input: InputRequest): void {
  const text = `Allowed for this session: ${input.scope?.label ?? input.title}`;
  toast({ tone: "info", text, action: { label: "Revoke", run: () => void revoke(input.id) } });
}

async function revoke(input: string): Promise<void> {
  try {
    const grant = (await client.grants()).find((entry) => entry.input === input);
    if (grant) await client.revokeGrant(grant.id);
    toast({ tone: "info", text: "Revoked. The agent will ask again." });
  } catch (error) {
    toastError(error);
  }
}
