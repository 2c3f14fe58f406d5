import { ToolError } from "../../contract/tool.ts";

type Send = (frame: Record<string, unknown>) => void;
type Pending<Result> = { resolve(result: Result): void; reject(error: Error): void };

/**
 * Pending requests to the host. An aborted request is cancelled at the host and rejected at once; a late answer is
 * ignored.
 */
export function createHostCalls<Result>(send: Send, names: { request: string; cancel: string; prefix: string }) {
  const pending = new Map<string, Pending<Result>>();
  let count = 0;
  let cancels = 0;
  return {
    call(fields: Record<string, unknown>, signal: AbortSignal, onId: (id: string) => void = () => {}): Promise<Result> {
      if (signal.aborted) return Promise.reject(new ToolError("Aborted"));
      count += 1;
      const id = `${names.prefix}_${count}`;
      onId(id);
      return new Promise<Result>((resolve, reject) => {
        const leave = () => {
          pending.delete(id);
          signal.removeEventListener("abort", onAbort);
        };
        const onAbort = () => {
          leave();
          cancels += 1;
          send({ type: names.cancel, id: `${names.prefix}_cancel_${cancels}`, targetId: id });
          reject(new ToolError("Aborted"));
        };
        signal.addEventListener("abort", onAbort);
        pending.set(id, {
          resolve(result) {
            leave();
            resolve(result);
          },
          reject(error) {
            leave();
            reject(error);
          },
        });
        send({ type: names.request, id, ...fields });
      });
    },
    find: (id: string): Pending<Result> | undefined => pending.get(id),
    rejectAll(reason: string): void {
      for (const call of [...pending.values()]) call.reject(new ToolError(reason));
    },
  };
}
