import { currentPath } from "./describe.ts";

const MOST_TEXT = 2000;
/** More errors than anyone reads are not told. */
const MOST_FAILURES = 100;

/** Calls `onVisit` now and whenever the document has another address or title, whichever way it got it. */
export function watchVisits(onVisit: () => void): void {
  let told = "";
  const look = () => {
    const now = `${currentPath()}\n${document.title}`;
    if (now === told) return;
    told = now;
    onVisit();
  };
  for (const name of ["pushState", "replaceState"] as const) {
    const native = history[name];
    history[name] = function (this: History, ...given: Parameters<History["pushState"]>) {
      native.apply(this, given);
      look();
    };
  }
  for (const event of ["popstate", "hashchange", "pageshow", "DOMContentLoaded", "load"]) addEventListener(event, look);
  new MutationObserver(look).observe(document.head ?? document, {
    subtree: true,
    childList: true,
    characterData: true,
  });
  look();
}

/** Calls `onFailure` for every error that is not caught or is written to the console. */
export function watchFailures(onFailure: (text: string) => void): void {
  let count = 0;
  const tell = (...values: unknown[]) => {
    if (++count <= MOST_FAILURES) onFailure(values.map(textOf).join(" ").slice(0, MOST_TEXT));
  };
  addEventListener("error", (event) => event instanceof ErrorEvent && tell(event.error ?? event.message));
  addEventListener("unhandledrejection", (event) => tell("Unhandled rejection:", event.reason));
  const native = console.error;
  console.error = (...values: unknown[]) => {
    native.apply(console, values);
    tell(...values);
  };
}

function textOf(value: unknown): string {
  try {
    if (value instanceof Error) return `${value.name}: ${value.message}`;
    return typeof value === "object" && value !== null ? JSON.stringify(value) : String(value);
  } catch {
    return "something that cannot be shown";
  }
}
