import { GantryError } from "@gantry/protocol";
import { Cell } from "./cell.ts";

export type Toast = {
  id: number;
  tone: "info" | "error";
  text: string;
  /** What the user can do about it. */
  remedy?: string;
  action?: { label: string; run: () => void };
};

export const toasts = new Cell<readonly Toast[]>([]);
let last = 0;

/** Shows a toast. It disappears after `ms`, an error after twice that. Returns a function that closes it. */
export function toast(toast: Omit<Toast, "id">, ms = 8000): () => void {
  const id = ++last;
  toasts.update((list) => [...list.slice(-3), { id, ...toast }]);
  const close = () => toasts.update((list) => list.filter((other) => other.id !== id));
  setTimeout(close, toast.tone === "error" ? ms * 2 : ms);
  return close;
}

/** Shows the error of a failed call. */
export function toastError(error: unknown): void {
  if (error instanceof GantryError) toast({ tone: "error", text: error.message, remedy: error.remedy });
  else toast({ tone: "error", text: error instanceof Error ? error.message : String(error) });
}
