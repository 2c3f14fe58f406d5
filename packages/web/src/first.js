// Part of the document itself: runs while the browser still reads it. Applies the chosen theme.
const chosen = localStorage.getItem("gantry.theme");
if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
// Runs before any schema is built: Zod would probe for eval, and the page's content policy reports each attempt.
globalThis.__zod_globalConfig = { jitless: true };
// Prefetch what a page loaded at a session requests first. `store/connection/prefetch.ts` uses the responses.
const [, opened] = /^\/s\/(ses_\w+)$/.exec(location.pathname) ?? [];
let credential;
try {
  credential = JSON.parse(localStorage.getItem("gantry.credential"))?.credential;
} catch {
  // Not valid: the page then shows how to log in.
}
if (opened && credential && !location.hash) {
  const headers = { accept: "application/json", authorization: `Bearer ${credential}` };
  const prefetch = (path) => [path, fetch(path, { headers })];
  globalThis.gantryPrefetched = new Map([
    prefetch(`/v1/sessions/${opened}/events?tail=150`),
    prefetch(`/v1/sessions/${opened}`),
  ]);
}
