import { type Envelope, hasButtonAnswers } from "@gantry/protocol";
import { navigate } from "wouter/use-browser-location";
import { Cell } from "../../store/cell.ts";
import { preferences, setPreference } from "../../store/preferences.ts";
import { onEvent } from "../../store/sessions/feed.ts";
import { sessionCell } from "../../store/sessions/sessions.ts";
import { notificationOptions } from "../../worker/notification-options.ts";
import { isInView } from "./in-view.ts";
import { type Notice, noticeFor } from "./notice.ts";
import { findWorker } from "./worker.ts";

/** `off`: not enabled in Gantry. `blocked`: the browser refuses them; only its settings can change that. */
export type NotificationState = "unsupported" | "off" | "blocked" | "on";

/** Whether this browser shows notifications. */
export const notificationState = new Cell<NotificationState>(currentState());

/** Delay before notifying: an input that a grant answers at once is settled in the same batch of events. */
const SETTLING_MS = 400;

/** Requests the browser's permission to notify. Must be called from a click handler. */
export async function askForNotifications(): Promise<void> {
  const permission = await Notification.requestPermission();
  setPreference("notifications", permission === "granted");
  notificationState.set(currentState());
}

export function stopNotifications(): void {
  setPreference("notifications", false);
}

/** Notifies about new inputs and ended turns of sessions that are not in view. Only one tab does. Called once. */
export function startNotifications(): void {
  preferences.subscribe(() => notificationState.set(currentState()));
  if (!("locks" in navigator)) return listen();
  // The lock is held until the tab closes; then the next tab takes over.
  void navigator.locks.request("gantry.notifier", () => new Promise<void>(listen));
}

function listen(): void {
  onEvent((event) => {
    if (notificationState.get() !== "on") return;
    if (event.type === "input.requested" || event.type === "turn.ended") setTimeout(() => notify(event), SETTLING_MS);
  });
}

function notify(event: Envelope): void {
  const session = sessionCell(event.session).get();
  const notice = session && !isInView(session.id) ? noticeFor(event, session) : undefined;
  if (notice) void show(notice);
}

/** The worker shows answers too, and on phones nothing else can notify. Without one a plain notification opens the session. */
async function show(notice: Notice): Promise<void> {
  const worker = await findWorker();
  if (!worker) return showPlain(notice);
  const { title, input } = notice;
  const actions: ("allow" | "deny")[] = input && hasButtonAnswers(input) ? ["allow", "deny"] : [];
  await worker.showNotification(title, notificationOptions({ ...notice, actions }, { input: input?.id }));
}

function showPlain({ title, body, tag, path }: Notice): void {
  const shown = new Notification(title, { body, tag, icon: "/icon.svg" });
  shown.onclick = () => {
    window.focus();
    navigate(path);
    shown.close();
  };
}

function currentState(): NotificationState {
  if (!("Notification" in globalThis)) return "unsupported";
  if (Notification.permission === "denied") return "blocked";
  return Notification.permission === "granted" && preferences.get().notifications ? "on" : "off";
}
