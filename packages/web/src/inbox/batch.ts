import type { Decision, InputRequest } from "@gantry/protocol";
import { Cell } from "../store/cell.ts";
import { answerInput } from "../store/outgoing/outbox.ts";
import { toast, toastError } from "../store/toasts.ts";
import { noteAnswer } from "./use-answer.ts";

/** The ids of the requests that are selected for one answer. */
export const batch = new Cell<ReadonlySet<string>>(new Set());

export function toggleInBatch(id: string): void {
  batch.update((all) => {
    const next = new Set(all);
    if (!next.delete(id)) next.add(id);
    return next;
  });
}

/** Whether one answer without text is enough: questions, forms and logins need their own. */
export function canAnswerInBatch({ kind, questions }: InputRequest): boolean {
  return questions.length === 0 && (kind === "approval" || kind === "permissions" || kind === "plan");
}

/** Gives all these requests the same answer. Those that another client answered first are counted. Never throws. */
export async function answerBatch(inputs: readonly InputRequest[], decision: Decision): Promise<void> {
  batch.set(new Set());
  const results = await Promise.allSettled(
    inputs.map((input) => {
      noteAnswer(input.id);
      return answerInput(input, { decision });
    }),
  );
  const failures = results.filter((result) => result.status === "rejected");
  const count = results.length - failures.length;
  const verb = decision === "deny" ? "Denied" : "Allowed";
  if (count > 0) toast({ tone: "info", text: `${verb} ${count === 1 ? "1 request" : `${count} requests`}.` });
  if (failures[0]) toastError(failures[0].reason);
}
