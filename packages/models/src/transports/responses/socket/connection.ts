/** Receives what happens on a connection. `closed` is called once, and nothing after it. */
export type SocketListener = { message(text: string): void; closed(reason: string): void };

/** An open WebSocket. Messages that arrive without a listener are dropped. */
export type SocketConnection = {
  readonly isOpen: boolean;
  listen(listener: SocketListener | undefined): void;
  send(text: string): void;
  close(): void;
};

type SocketOptions = { headers: Record<string, string>; timeoutMs: number; signal: AbortSignal };

/** Node's client takes headers and uses the same proxies as `fetch`; the DOM's type of it does not have the option. */
const NodeSocket = WebSocket as unknown as new (url: string, options: { headers: Record<string, string> }) => WebSocket;

/** Rejects if the server refuses the upgrade, does not answer in time, or the signal is aborted. */
export function openSocket(url: string, { headers, timeoutMs, signal }: SocketOptions): Promise<SocketConnection> {
  return new Promise((resolve, reject) => {
    const socket = new NodeSocket(url.replace(/^http/, "ws"), { headers });
    socket.binaryType = "arraybuffer";
    let listener: SocketListener | undefined;
    let isSettled = false;
    let problem = "";
    const settle = (finish: () => void) => {
      if (isSettled) return;
      isSettled = true;
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      finish();
    };
    const giveUp = (error: unknown) =>
      settle(() => {
        socket.close();
        reject(error);
      });
    const onAbort = () => giveUp(signal.reason);
    const timer = setTimeout(() => giveUp(new Error(`No WebSocket connection within ${timeoutMs} ms.`)), timeoutMs);
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) onAbort();
    socket.onerror = (event) => {
      problem = (event as ErrorEvent).message || problem;
    };
    socket.onclose = ({ code, reason }) => {
      const text = [`The WebSocket was closed (${code})`, reason || problem].filter(Boolean).join(": ");
      settle(() => reject(new Error(text)));
      const last = listener;
      listener = undefined;
      last?.closed(text);
    };
    socket.onmessage = ({ data }) => listener?.message(typeof data === "string" ? data : decode(data));
    socket.onopen = () =>
      settle(() =>
        resolve({
          get isOpen() {
            return socket.readyState === WebSocket.OPEN;
          },
          listen(next) {
            listener = next;
          },
          send: (text) => socket.send(text),
          close: () => socket.close(),
        }),
      );
  });
}

function decode(data: unknown): string {
  return data instanceof ArrayBuffer ? Buffer.from(data).toString("utf8") : "";
}
