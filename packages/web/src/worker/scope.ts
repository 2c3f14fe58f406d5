/** The parts of the service worker's global scope that the worker uses. The DOM library of TypeScript has none of them. */
export type WorkerScope = {
  registration: ServiceWorkerRegistration;
  clients: WorkerClients;
  skipWaiting(): Promise<void>;
  addEventListener<K extends keyof WorkerEvents>(type: K, listener: (event: WorkerEvents[K]) => void): void;
};

export type WorkerClient = {
  url: string;
  focused: boolean;
  visibilityState: DocumentVisibilityState;
  focus(): Promise<WorkerClient>;
  postMessage(message: WorkerMessage): void;
};

type WorkerClients = {
  claim(): Promise<void>;
  matchAll(query: { type: "window"; includeUncontrolled: boolean }): Promise<WorkerClient[]>;
  openWindow(url: string): Promise<WorkerClient | null>;
};

type LastingEvent = Event & { waitUntil(work: Promise<unknown>): void };

export type FetchEvent = LastingEvent & {
  request: Request;
  preloadResponse: Promise<Response | undefined>;
  respondWith(response: Promise<Response>): void;
};

type WorkerEvents = {
  install: LastingEvent & { addRoutes?(routes: object[]): Promise<void> };
  activate: LastingEvent;
  fetch: FetchEvent;
  push: LastingEvent & { data: { json(): unknown } | null };
  notificationclick: LastingEvent & { action: string; notification: Notification };
};

/** What a notification remembers for its click. `ticket` came with a push message; without it an open page answers. */
export type NotificationData = { path: string; input?: string; ticket?: string };

/** Messages from the service worker to the page. */
export type WorkerMessage = { open: string } | { answer: string; decision: "allow" | "deny" };
