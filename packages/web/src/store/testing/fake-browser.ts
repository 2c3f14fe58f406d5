import { vi } from "vitest";

/** The response to a call; `undefined` if the daemon is unreachable. */
export type FakeAnswer = { status: number; body: unknown } | undefined;
export type FakeCall = { method: string; path: string; body: unknown };

/**
 * Fakes the browser APIs that the store needs: storage with a size limit, immediate animation frames, and fetch calls
 * handled by `answer`. Import modules of the store after `install`.
 */
export class FakeBrowser {
  readonly stored = new Map<string, string>();
  readonly calls: FakeCall[] = [];
  /** The longest text that fits into storage. */
  room = Number.POSITIVE_INFINITY;
  answer: (call: FakeCall) => FakeAnswer = () => undefined;

  install(): void {
    vi.resetModules();
    vi.stubGlobal("location", { origin: "http://127.0.0.1:1" });
    vi.stubGlobal("document", { hidden: false });
    vi.stubGlobal("addEventListener", () => {});
    vi.stubGlobal("requestAnimationFrame", (paint: () => void) => setTimeout(paint, 0));
    vi.stubGlobal("localStorage", {
      getItem: (key: string) => this.stored.get(key) ?? null,
      setItem: (key: string, text: string) => {
        if (text.length > this.room) throw new Error("QuotaExceededError");
        this.stored.set(key, text);
      },
      removeItem: (key: string) => this.stored.delete(key),
    });
    vi.stubGlobal("fetch", async (url: URL, init: RequestInit = {}) => this.#fetch(url, init));
  }

  #fetch(url: URL, { method = "GET", body }: RequestInit): Response {
    const call = { method, path: url.pathname, body: body === undefined ? undefined : JSON.parse(String(body)) };
    this.calls.push(call);
    const answer = this.answer(call);
    if (!answer) throw new TypeError("fetch failed");
    return new Response(JSON.stringify(answer.body), { status: answer.status });
  }
}
