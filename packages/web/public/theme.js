// Before anything is painted: the colours that the reader chose, or the system's.
const chosen = localStorage.getItem("gantry.theme");
if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
