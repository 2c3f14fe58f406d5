import { randomUUID } from "node:crypto";
import type { DialogRequest, UiNotice } from "../../contract/ui-request.ts";
import { hashOf } from "../../gates/canonical.ts";
import type { Resolution } from "../../gates/store.ts";
import type { CommandInput, HostAnswer } from "../wire/commands.ts";

type Send = (frame: Record<string, unknown>) => void;
type Reply = HostAnswer<"extension_ui_response">;

export type Outcome = { kind: "answered"; reply: Reply } | { kind: "cancelled" } | { kind: "timed out" };

/**
 * Shows dialogs to the host's user. A dialog ends with an answer, a cancellation, its timeout (enforced here, whatever
 * the host does) or an abort; in the last two cases the host is notified to close it. `closeAll` cancels all dialogs.
 */
export interface Dialogs {
  ask(request: DialogRequest, options: { signal: AbortSignal; timeoutMs?: number; extra?: object }): Promise<Outcome>;
  /** Sends a frame that needs no answer. */
  notify(notice: UiNotice): void;
  /** Ignores answers to unknown or closed dialogs. */
  answer(reply: Reply): void;
  /**
   * Takes the answer of a client that answers dialogs like gates, with the dialog's id as `gate_id`. Returns `undefined`
   * if no such dialog is open. An answer of another type than a dialog takes is rejected, and the dialog stays open.
   */
  answerGate(answer: CommandInput<"workflow_gate_response">): Resolution | undefined;
  closeAll(): void;
}

export function createDialogs(send: Send): Dialogs {
  const open = new Map<string, (outcome: Outcome) => void>();
  const frame = (id: string, fields: object) => send({ type: "extension_ui_request", id, ...fields });

  return {
    ask(request, { signal, timeoutMs, extra }) {
      if (signal.aborted) return Promise.resolve({ kind: "cancelled" });
      const id = randomUUID();
      return new Promise((resolve) => {
        const timer = timeoutMs === undefined ? undefined : setTimeout(() => giveUp({ kind: "timed out" }), timeoutMs);
        const finish = (outcome: Outcome) => {
          if (!open.delete(id)) return;
          clearTimeout(timer);
          signal.removeEventListener("abort", onAbort);
          resolve(outcome);
        };
        const giveUp = (outcome: Outcome) => {
          if (open.has(id)) frame(randomUUID(), { method: "cancel", targetId: id });
          finish(outcome);
        };
        const onAbort = () => giveUp({ kind: "cancelled" });
        signal.addEventListener("abort", onAbort);
        open.set(id, finish);
        frame(id, { ...request, ...(timeoutMs === undefined ? {} : { timeout: timeoutMs }), ...extra });
      });
    },
    notify: (notice) => frame(randomUUID(), notice),
    answer(reply) {
      const outcome: Outcome = reply.cancelled
        ? { kind: reply.timedOut ? "timed out" : "cancelled" }
        : { kind: "answered", reply };
      open.get(reply.id)?.(outcome);
    },
    answerGate({ gate_id, answer = null }) {
      const finish = open.get(gate_id);
      if (!finish) return undefined;
      const outcome = outcomeOf(gate_id, answer);
      if (outcome) finish(outcome);
      return resolutionOf(gate_id, answer, outcome !== undefined);
    },
    closeAll() {
      for (const finish of [...open.values()]) finish({ kind: "cancelled" });
    },
  };
}

/** The answer to a dialog: a text, a confirmation, a list of texts, or `null` to cancel. */
function outcomeOf(id: string, answer: unknown): Outcome | undefined {
  if (answer === null) return { kind: "cancelled" };
  if (typeof answer === "string") return { kind: "answered", reply: { id, value: answer } };
  if (typeof answer === "boolean") return { kind: "answered", reply: { id, confirmed: answer } };
  const isTexts = Array.isArray(answer) && answer.every((text) => typeof text === "string");
  return isTexts ? { kind: "answered", reply: { id, selected: answer } } : undefined;
}

const DIALOG_SCHEMA = { type: ["string", "boolean", "array", "null"], items: { type: "string" } };

function resolutionOf(gate_id: string, answer: unknown, accepted: boolean): Resolution {
  const shared = { gate_id, answer_hash: hashOf(answer), resolved_at: new Date().toISOString() };
  if (accepted) return { ...shared, status: "accepted" };
  const errors = [{ path: "/answer", keyword: "type", message: "must be a text, a boolean, a list of texts or null" }];
  const schema_hash = hashOf(DIALOG_SCHEMA);
  return {
    ...shared,
    status: "rejected",
    error: { code: "invalid_workflow_gate_answer", gate_id, schema_hash, errors },
  };
}
