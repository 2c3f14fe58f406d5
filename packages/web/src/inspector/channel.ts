import type { FromInspector } from "./messages.ts";

/** Messages from the page to the inspector. */
export type ToInspector =
  | { type: "hello" }
  | { type: "pick"; on: boolean }
  /** Takes a screenshot of the element at a selector, or of the visible part. */
  | { type: "shoot"; id: number; selector?: string }
  | { type: "go"; by: -1 | 1 }
  | { type: "reload" };

/** Distinguishes messages between page and inspector from all others. */
export const CHANNEL = "gantry-preview";
export type ChannelMessage<T> = { channel: typeof CHANNEL; message: T };

/** The inspector's end of the channel to Gantry's page. */
export type InspectorChannel = {
  send(message: FromInspector): void;
};

/** The number of messages buffered until the page's first message. */
const MAX_PENDING = 50;

/**
 * Opens the channel to the page that frames this document. Sends to and accepts from only the parent window, and only if
 * its origin is one of `pages`.
 */
export function openChannel(pages: readonly string[], onMessage: (message: ToInspector) => void): InspectorChannel {
  const pending: FromInspector[] = [];
  // Browsers without `ancestorOrigins` wait for the page's first message.
  let page = pages.find((origin) => origin === location.ancestorOrigins?.[0]);
  const post = (message: FromInspector, to: string) => {
    const sent: ChannelMessage<FromInspector> = { channel: CHANNEL, message };
    window.parent.postMessage(sent, to);
  };
  addEventListener("message", (event: MessageEvent<Partial<ChannelMessage<ToInspector>> | undefined>) => {
    if (event.source !== window.parent || !pages.includes(event.origin)) return;
    if (event.data?.channel !== CHANNEL || !event.data.message) return;
    event.stopImmediatePropagation();
    page = event.origin;
    for (const message of pending.splice(0)) post(message, page);
    onMessage(event.data.message);
  });
  return {
    send: (message) => {
      if (page !== undefined) post(message, page);
      else if (pending.length < MAX_PENDING) pending.push(message);
    },
  };
}
