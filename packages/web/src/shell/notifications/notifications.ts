import type { Envelope } from "@gantry/protocol";
import { navigate } from "wouter/use-browser-location";
import { Cell } from "../../store/cell.ts";
import { onEvent } from "../../store/feed.ts";
import { preferences, setPreference } from "../../store/preferences.ts";
import { sessionCell } from "../../store/sessions.ts";
import { isInView } from "./in-view.ts";
import { type Notice, noticeFor } from "./notice.ts";

/** `off`: nobody asked for them here. `blocked`: the browser refuses, and only its own settings change that. */
export type NotificationState = "unsupported" | "off" | "blocked" | "on";

/** Whether this browser tells of what happens out of sight. */
export const notificationState = new Cell<NotificationState>(currentState());

/** An input that a standing permission answers at once is nothing to tell of; its end comes with the same batch. */
const SETTLING_MS = 400;

/** Asks the browser for the right to notify. Must be called from a click. */
export async function askForNotifications(): Promise<void> {
  const permission = await Notification.requestPermission();
  setPreference("notifications", permission === "granted");
  notificationState.set(currentState());
}

export function stopNotifications(): void {
  setPreference("notifications", false);
}

/** Tells of new inputs and ended turns that nobody looks at. Of all tabs only one does. Called once. */
export function tendNotifications(): void {
  preferences.subscribe(() => notificationState.set(currentState()));
  if (!("locks" in navigator)) return listen();
  // Held for as long as the tab lives; the next in line takes over.
  void navigator.locks.request("gantry.notifier", () => new Promise<void>(listen));
}

function listen(): void {
  onEvent((event) => {
    if (notificationState.get() !== "on") return;
    if (event.type === "input.requested" || event.type === "turn.ended") setTimeout(() => tell(event), SETTLING_MS);
  });
}

function tell(event: Envelope): void {
  const session = sessionCell(event.session).get();
  const notice = session && !isInView(session.id) ? noticeFor(event, session) : undefined;
  if (notice) show(notice);
}

function show({ title, body, tag, path }: Notice): void {
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
