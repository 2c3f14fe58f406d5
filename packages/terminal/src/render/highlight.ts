import type { HLJSApi } from "highlight.js";
import type { SyntaxPart, Theme } from "../text/theme.ts";

let highlighter: HLJSApi | undefined;

/** Longer texts stay plain: a person does not read them, and highlighting takes 20 µs a line. */
const LONGEST = 200_000;

const PARTS: Record<string, SyntaxPart> = {
  keyword: "keyword",
  literal: "number",
  number: "number",
  string: "string",
  regexp: "string",
  comment: "comment",
  quote: "comment",
  doctag: "comment",
  title: "name",
  function: "name",
  section: "name",
  built_in: "type",
  type: "type",
  class: "type",
  attr: "name",
  attribute: "name",
  property: "name",
  variable: "tag",
  tag: "tag",
  name: "tag",
  selector: "tag",
  symbol: "number",
  bullet: "number",
  meta: "keyword",
  addition: "string",
  deletion: "tag",
};

const ENTITIES: Record<string, string> = { "&lt;": "<", "&gt;": ">", "&amp;": "&", "&quot;": '"', "&#x27;": "'" };

/** Loads the highlighter. Before that, and for unknown languages, code stays plain. */
export async function loadHighlighter(): Promise<void> {
  highlighter ??= (await import("highlight.js/lib/common")).default;
}

/** The lines of a text in colour. */
export function highlightCode(code: string, language: string | undefined, theme: Theme): string[] {
  const name = language
    ?.trim()
    .split(/[\s{:,]/)[0]
    ?.toLowerCase();
  const isKnown = theme.enabled && name && code.length < LONGEST && highlighter?.getLanguage(name);
  if (!isKnown || !highlighter) return code.split("\n");
  return paintHtml(highlighter.highlight(code, { language: name, ignoreIllegals: true }).value, theme);
}

/** The language of a file, by the end of its name. */
export function languageOf(path: string): string | undefined {
  return /\.([A-Za-z0-9+]+)$/.exec(path)?.[1];
}

/** highlight.js returns nested spans with escaped text. Each line opens and closes its own styles. */
function paintHtml(html: string, theme: Theme): string[] {
  const open: (SyntaxPart | undefined)[] = [];
  let text = "";
  for (const [token] of html.matchAll(/<span class="[^"]*">|<\/span>|&(?:lt|gt|amp|quot|#x27);|[^<&]+|[<&]/g)) {
    const name = /^<span class="hljs-([a-z_]+)/.exec(token)?.[1];
    if (token.startsWith("<span")) open.push(name === undefined ? undefined : PARTS[name.split("-")[0] ?? ""]);
    else if (token === "</span>") open.pop();
    else text += paintToken(ENTITIES[token] ?? token, open.findLast(Boolean), theme);
  }
  return text.split("\n");
}

function paintToken(text: string, part: SyntaxPart | undefined, theme: Theme): string {
  if (!part) return text;
  return text
    .split("\n")
    .map((line) => (line === "" ? "" : theme.syntax[part](line)))
    .join("\n");
}
