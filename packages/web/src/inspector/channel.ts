import type { FromInspector } from "../preview/messages.ts";

/** What the page asks of the inspector. */
export type ToInspector =
  | { type: "hello" }
  | { type: "pick"; on: boolean }
  /** Of the element at a selector, or of what is visible. */
  | { type: "shoot"; id: number; selector?: string }
  | { type: "go"; by: -1 | 1 }
  | { type: "reload" };

/** Tells what passes between page and inspector from all other messages. */
export const CHANNEL = "gantry-preview";
export type Sent<T> = { channel: typeof CHANNEL; message: T };

/** The inspector's side of the talk with Gantry's page. */
export type Line = {
  tell(message: FromInspector): void;
};

/** What has not been told yet when the page says hello. */
const MOST_WAITING = 50;

/**
 * Opens the talk with the page that shows this document in a frame. Nothing is told to, and nothing taken from, anyone but
 * the parent under one of the origins `pages`.
 */
export function openLine(pages: readonly string[], onMessage: (message: ToInspector) => void): Line {
  const waiting: FromInspector[] = [];
  // Browsers that do not say who frames a document leave it to the page to say hello.
  let page = pages.find((origin) => origin === location.ancestorOrigins?.[0]);
  const send = (message: FromInspector, to: string) => {
    const sent: Sent<FromInspector> = { channel: CHANNEL, message };
    window.parent.postMessage(sent, to);
  };
  addEventListener("message", (event: MessageEvent<Partial<Sent<ToInspector>> | undefined>) => {
    if (event.source !== window.parent || !pages.includes(event.origin)) return;
    if (event.data?.channel !== CHANNEL || !event.data.message) return;
    event.stopImmediatePropagation();
    page = event.origin;
    for (const message of waiting.splice(0)) send(message, page);
    onMessage(event.data.message);
  });
  return {
    tell: (message) => {
      if (page !== undefined) send(message, page);
      else if (waiting.length < MOST_WAITING) waiting.push(message);
    },
  };
}
