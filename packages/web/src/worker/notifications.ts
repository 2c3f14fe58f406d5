import type { PushMessage } from "@gantry/protocol";
import { notificationOptions } from "./notification-options.ts";
import type { NotificationData, WorkerClient, WorkerScope } from "./scope.ts";

/** Shows push messages and handles clicks on all notifications, those of an open page included. */
export function handleNotifications(scope: WorkerScope): void {
  scope.addEventListener("push", (event) => {
    const message = event.data?.json() as PushMessage | undefined;
    if (message) event.waitUntil(showMessage(scope, message));
  });
  scope.addEventListener("notificationclick", (event) => {
    const data = event.notification.data as NotificationData;
    event.notification.close();
    const isAnswer = event.action === "allow" || event.action === "deny";
    event.waitUntil(isAnswer ? answer(scope, data, event.action as "allow" | "deny") : open(scope, data.path));
  });
}

/** A focused window that shows the session is the notification. */
async function showMessage(scope: WorkerScope, message: PushMessage): Promise<void> {
  const windows = await listWindows(scope);
  if (windows.some(({ focused, url }) => focused && new URL(url).pathname === message.path)) return;
  const { title, ticket } = message;
  await scope.registration.showNotification(title, notificationOptions(message, { ticket }));
}

/** Answers with the ticket of the message, or lets an open page answer with its credential. */
async function answer(
  scope: WorkerScope,
  { path, ticket, input }: NotificationData,
  decision: "allow" | "deny",
): Promise<void> {
  if (ticket) return answerWithTicket(scope, { path, ticket }, decision);
  const [page] = await listWindows(scope);
  if (page && input) page.postMessage({ answer: input, decision });
  else await open(scope, path);
}

async function answerWithTicket(
  { registration }: WorkerScope,
  { path, ticket }: { path: string; ticket: string },
  decision: "allow" | "deny",
): Promise<void> {
  const body = JSON.stringify({ ticket, decision });
  const headers = { "content-type": "application/json" };
  // `omit`: the ticket alone authorises the answer.
  const failure = await fetch("/v1/push/answer", { method: "POST", headers, body, credentials: "omit" }).then(
    async (response) => (response.ok ? undefined : readMessage(await response.json())),
    () => "Gantry cannot be reached.",
  );
  if (failure === undefined) return;
  const options = notificationOptions(
    { body: `${failure} Tap to open the session.`, tag: path, path, actions: [] },
    {},
  );
  await registration.showNotification("Not answered", options);
}

function readMessage(body: { error?: { message?: string } }): string {
  return body.error?.message ?? "The request was not answered.";
}

async function open(scope: WorkerScope, path: string): Promise<void> {
  const [page] = await listWindows(scope);
  if (!page) return void (await scope.clients.openWindow(path));
  page.postMessage({ open: path });
  await page.focus();
}

/** The windows of the page, the visible ones first. */
async function listWindows({ clients }: WorkerScope): Promise<WorkerClient[]> {
  const all = await clients.matchAll({ type: "window", includeUncontrolled: true });
  return all.toSorted((a, b) => Number(b.visibilityState === "visible") - Number(a.visibilityState === "visible"));
}
