import type { PushState } from "@gantry/protocol";
import { client } from "../../store/connection/client.ts";
import { storedCell } from "../../store/stored-cell.ts";
import { askForNotifications } from "./notifications.ts";
import { findWorker } from "./worker.ts";

/** The id of this browser's subscription, or an empty text. */
export const ownSubscription = storedCell<string>("push", "");

/** Whether this browser can get push messages here: it needs https or localhost, and an installed app on an iPhone. */
export function canSubscribe(): boolean {
  return isSecureContext && "serviceWorker" in navigator && "PushManager" in globalThis;
}

/**
 * Subscribes this browser. Must be called from a click handler, because it may ask for permission. Throws with a text for the
 * user; nothing is stored then.
 */
export async function subscribeBrowser({ publicKey }: PushState): Promise<void> {
  const worker = await findWorker();
  if (!worker || !publicKey) throw new Error("This page cannot get push messages. Reload it, then try again.");
  await askForNotifications();
  if (Notification.permission !== "granted")
    throw new Error("The browser blocks notifications of this page. Allow them in its settings, then try again.");
  await (await worker.pushManager.getSubscription())?.unsubscribe();
  const applicationServerKey = decodeKey(publicKey);
  const subscription = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });
  const { endpoint = "", keys = {} } = subscription.toJSON();
  const { p256dh = "", auth = "" } = keys;
  const row = await client.push.subscribe({ name: describeBrowser(), endpoint, keys: { p256dh, auth } });
  ownSubscription.set(row.id);
}

/** Ends a subscription, here and at the daemon. Throws `GantryError`. */
export async function revokeSubscription(id: string): Promise<void> {
  if (id === ownSubscription.get()) {
    ownSubscription.set("");
    const worker = await findWorker();
    await (await worker?.pushManager.getSubscription())?.unsubscribe();
  }
  await client.push.revoke(id);
}

/** A name for the list of browsers, such as "Chrome on Android". */
function describeBrowser(): string {
  const { userAgent } = navigator;
  const find = (names: readonly [RegExp, string][]) => names.find(([pattern]) => pattern.test(userAgent))?.[1];
  const browser = find([
    [/Edg\//, "Edge"],
    [/Firefox\//, "Firefox"],
    [/Chrom(e|ium)\//, "Chrome"],
    [/Safari\//, "Safari"],
  ]);
  const system = find([
    [/Android/, "Android"],
    [/iPhone/, "iPhone"],
    [/iPad/, "iPad"],
    [/Mac OS X/, "macOS"],
    [/Windows/, "Windows"],
    [/Linux/, "Linux"],
  ]);
  return `${browser ?? "Browser"}${system ? ` on ${system}` : ""}`;
}

function decodeKey(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}
