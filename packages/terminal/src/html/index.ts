export * from "./blocks.ts";
export { escapeHtml } from "./escape.ts";
export { PAGE_END, pageHeader, pageStart } from "./page.ts";
