import { randomUUID } from "node:crypto";
import type { HostAnswer } from "../wire/commands.ts";

type Send = (frame: Record<string, unknown>) => void;
type Reply = HostAnswer<"extension_ui_response">;

export type Outcome = { kind: "answered"; reply: Reply } | { kind: "cancelled" } | { kind: "timed out" };

export type DialogRequest =
  | { method: "select"; title: string; options: string[] }
  | { method: "confirm"; title: string; message: string }
  | { method: "input"; title: string; placeholder?: string }
  | { method: "editor"; title: string; prefill?: string };

/**
 * Shows dialogs to the host's user. A dialog ends with an answer, a cancellation, its timeout (enforced here, whatever
 * the host does) or an abort; in the last two cases the host is notified to close it. `closeAll` cancels all dialogs.
 */
export interface Dialogs {
  ask(request: DialogRequest, options: { signal: AbortSignal; timeoutMs?: number; extra?: object }): Promise<Outcome>;
  /** Sends a frame that needs no answer. */
  notify(method: "notify" | "open_url" | "setStatus" | "setTitle", fields: Record<string, unknown>): void;
  /** Ignores answers to unknown or closed dialogs. */
  answer(reply: Reply): void;
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
    notify: (method, fields) => frame(randomUUID(), { method, ...fields }),
    answer(reply) {
      const outcome: Outcome = reply.cancelled
        ? { kind: reply.timedOut ? "timed out" : "cancelled" }
        : { kind: "answered", reply };
      open.get(reply.id)?.(outcome);
    },
    closeAll() {
      for (const finish of [...open.values()]) finish({ kind: "cancelled" });
    },
  };
}
