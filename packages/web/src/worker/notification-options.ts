import type { PushMessage } from "@gantry/protocol";
import type { NotificationData } from "./scope.ts";

const LABELS = { allow: "Allow", deny: "Deny" } as const;

/** Options of a notification that offers answers. The DOM library does not know `actions`. */
export function notificationOptions(
  { body, tag, path, actions }: Omit<PushMessage, "title" | "ticket">,
  answers: Pick<NotificationData, "input" | "ticket">,
): NotificationOptions {
  const options = {
    ...{ body, tag, icon: "/icon-192.png", badge: "/badge.png" },
    data: { path, ...answers } satisfies NotificationData,
    actions: actions.map((action) => ({ action, title: LABELS[action] })),
    requireInteraction: actions.length > 0,
  };
  return options;
}
