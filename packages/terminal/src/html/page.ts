import { createHash } from "node:crypto";
import { escapeHtml } from "./escape.ts";
import { STYLE } from "./style.ts";

export type PageOptions = {
  title: string;
  /** The only script that the page may run. Without one it runs none. */
  script?: string;
  /** `tree-layout`: a sidebar next to the transcript. */
  layout?: "plain-layout" | "tree-layout";
};

/**
 * The start of a self-contained page with an exported session, up to the open `body`. The policy allows only this style,
 * this script and embedded images, whatever the session contains.
 */
export function pageStart({ title, script, layout = "plain-layout" }: PageOptions): string {
  const policy = [
    "default-src 'none'",
    "img-src data:",
    `style-src '${hash(STYLE)}'`,
    ...(script ? [`script-src '${hash(script)}'`] : []),
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="Gantry">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body class="${layout}">
`;
}

export const PAGE_END = "</body>\n</html>\n";

/** The title of the session and the facts that have a value. */
export function pageHeader(
  title: string,
  facts: readonly (readonly [name: string, value: string | undefined])[],
): string {
  const rows = facts.flatMap(([name, value]) =>
    value ? [`<div><dt>${name}</dt><dd>${escapeHtml(value)}</dd></div>`] : [],
  );
  return `<header>\n<h1>${escapeHtml(title)}</h1>\n<dl class="facts">${rows.join("")}</dl>\n</header>\n`;
}

function hash(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}
