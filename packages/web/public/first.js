// Before anything is painted: the colours that the reader chose, or the system's.
const chosen = localStorage.getItem("gantry.theme");
if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
// Before any schema is made: Zod would try whether it may make code from strings, and the page's policy reports each try.
globalThis.__zod_globalConfig = { jitless: true };
// Before the program has come: what a page that is opened at a session will ask for first (`store/early.ts` takes it up).
const [, opened] = /^\/s\/(ses_\w+)$/.exec(location.pathname) ?? [];
let credential;
try {
  credential = JSON.parse(localStorage.getItem("gantry.credential"))?.credential;
} catch {
  // Not ours: the program says what to do.
}
if (opened && credential && !location.hash) {
  const headers = { accept: "application/json", authorization: `Bearer ${credential}` };
  const ask = (path) => [path, fetch(path, { headers })];
  globalThis.gantryEarly = new Map([
    ask(`/v1/sessions/${opened}/events?tail=150`),
    ask(`/v1/sessions/${opened}`),
  ]);
}
