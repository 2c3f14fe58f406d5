// Before anything is painted: the colours that the reader chose, or the system's.
const chosen = localStorage.getItem("gantry.theme");
if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
// Before any schema is made: Zod would try whether it may make code from strings, and the page's policy reports each try.
globalThis.__zod_globalConfig = { jitless: true };
