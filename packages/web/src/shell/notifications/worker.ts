import { navigate } from "wouter/use-browser-location";
import { answerInput } from "../../store/outgoing/outbox.ts";
import { knownSessions } from "../../store/sessions/sessions.ts";
import { toastError } from "../../store/toasts.ts";
import type { WorkerMessage } from "../../worker/scope.ts";

const PATH = "/service-worker.js";

/** The browser's service worker; `undefined` over plain http, in development, and in browsers without one. */
export async function findWorker(): Promise<ServiceWorkerRegistration | undefined> {
  if (!("serviceWorker" in navigator)) return undefined;
  return navigator.serviceWorker.getRegistration("/").catch(() => undefined);
}

/** Installs the service worker and handles what it sends. Called once, after the first paint. */
export async function startWorker(): Promise<void> {
  if (!("serviceWorker" in navigator) || !import.meta.env.PROD) return;
  navigator.serviceWorker.addEventListener("message", ({ data }: MessageEvent<WorkerMessage>) => handle(data));
  // Refused in private windows of some browsers: the page then works without it.
  await navigator.serviceWorker.register(PATH, { updateViaCache: "none" }).catch(() => undefined);
}

function handle(message: WorkerMessage): void {
  if ("open" in message) return navigate(message.open);
  const input = knownSessions()
    .flatMap(({ inputs }) => inputs)
    .find(({ id }) => id === message.answer);
  if (input) void answerInput(input, { decision: message.decision }).catch(toastError);
}
