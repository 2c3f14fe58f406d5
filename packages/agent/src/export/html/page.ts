import { createHash } from "node:crypto";
import type { Entry, SessionHeader } from "../../contract/session-store.ts";
import { SCRIPT } from "./script.ts";
import { STYLE } from "./style.ts";

export type PageData = {
  header: SessionHeader;
  entries: readonly Entry[];
  labels: Record<string, string>;
  leafId: string | null;
};

/** The policy allows only this script and this style, whatever the conversation contains. */
export function page(data: PageData): string {
  const title = data.header.title ?? `Session ${data.header.id}`;
  const policy = [
    "default-src 'none'",
    "img-src data:",
    `style-src '${hash(STYLE)}'`,
    `script-src '${hash(SCRIPT)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<noscript>This page needs its script to show the conversation.</noscript>
<script type="application/json" id="data">${json(data)}</script>
<script>${SCRIPT}</script>
</body>
</html>
`;
}

function hash(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}

/** Escapes JSON so that it can neither end the script element nor start a comment. */
function json(data: unknown): string {
  return JSON.stringify(data).replaceAll("<", "\\u003c");
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
