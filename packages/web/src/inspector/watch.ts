import { currentPath } from "./describe.ts";

const MAX_TEXT = 2000;
/** Further errors are not reported. */
const MAX_FAILURES = 100;

/** Calls `onVisit` now and whenever the document's address or title changes. */
export function watchVisits(onVisit: () => void): void {
  let reported = "";
  const check = () => {
    const now = `${currentPath()}\n${document.title}`;
    if (now === reported) return;
    reported = now;
    onVisit();
  };
  for (const name of ["pushState", "replaceState"] as const) {
    const native = history[name];
    history[name] = function (this: History, ...args: Parameters<History["pushState"]>) {
      native.apply(this, args);
      check();
    };
  }
  for (const event of ["popstate", "hashchange", "pageshow", "DOMContentLoaded", "load"])
    addEventListener(event, check);
  new MutationObserver(check).observe(document.head ?? document, {
    subtree: true,
    childList: true,
    characterData: true,
  });
  check();
}

/** Calls `onFailure` for every uncaught error and every error written to the console. */
export function watchFailures(onFailure: (text: string) => void): void {
  let count = 0;
  const report = (...values: unknown[]) => {
    if (++count <= MAX_FAILURES) onFailure(values.map(textOf).join(" ").slice(0, MAX_TEXT));
  };
  addEventListener("error", (event) => event instanceof ErrorEvent && report(event.error ?? event.message));
  addEventListener("unhandledrejection", (event) => report("Unhandled rejection:", event.reason));
  const native = console.error;
  console.error = (...values: unknown[]) => {
    native.apply(console, values);
    report(...values);
  };
}

function textOf(value: unknown): string {
  try {
    if (value instanceof Error) return `${value.name}: ${value.message}`;
    return typeof value === "object" && value !== null ? JSON.stringify(value) : String(value);
  } catch {
    return "a value that cannot be shown";
  }
}
