import { Lexer, type MarkedToken, type Token, type Tokens } from "marked";
import { escapeHtml, safeUrl } from "./escape.ts";

/** Renders Markdown as HTML. Only this module writes tags; HTML in the text is shown as text. */
export function markdownHtml(text: string): string {
  if (isPlain(text)) return `<p>${escapeHtml(text)}</p>`;
  return blocks(new Lexer({ gfm: true, breaks: false }).lex(text.slice(0, 400_000)));
}

/** Fast path for one line without Markdown, which most texts between two tool calls are. */
function isPlain(text: string): boolean {
  return !/[`*_#[\]<>|~\\\n]|^\s*([-+=]|\d+[.)])|^(?: {4}|\t)|https?:|www\.|@/.test(text);
}

function blocks(tokens: readonly Token[]): string {
  return tokens.map((token) => block(token as MarkedToken)).join("");
}

function block(token: MarkedToken): string {
  switch (token.type) {
    case "space":
    case "def":
      return "";
    case "hr":
      return "<hr>";
    case "heading": {
      const level = Math.min(6, token.depth + 2);
      return `<h${level}>${renderInlines(token.tokens)}</h${level}>`;
    }
    case "code":
      return `<pre><code>${escapeHtml(token.text)}</code></pre>`;
    case "blockquote":
      return `<blockquote>${blocks(token.tokens)}</blockquote>`;
    case "list":
      return listOf(token);
    case "table":
      return tableOf(token);
    case "paragraph":
      return `<p>${renderInlines(token.tokens)}</p>`;
    case "text":
      return token.tokens ? renderInlines(token.tokens) : escapeHtml(token.text);
    default:
      return escapeHtml(token.raw);
  }
}

function listOf(token: Tokens.List): string {
  const items = token.items.map((item) => {
    const box = item.task ? `<span class="box">${item.checked ? "☑" : "☐"}</span> ` : "";
    return `<li>${box}${item.loose ? blocks(item.tokens) : item.tokens.map(renderTight).join("")}</li>`;
  });
  if (!token.ordered) return `<ul>${items.join("")}</ul>`;
  const start = typeof token.start === "number" && token.start !== 1 ? ` start="${Math.round(token.start)}"` : "";
  return `<ol${start}>${items.join("")}</ol>`;
}

function renderTight(token: Token): string {
  return token.type === "paragraph" ? renderInlines(token.tokens ?? []) : block(token as MarkedToken);
}

function tableOf({ header, rows }: Tokens.Table): string {
  const cells = (row: Tokens.TableCell[], tag: string) =>
    `<tr>${row.map((cell) => `<${tag}>${renderInlines(cell.tokens)}</${tag}>`).join("")}</tr>`;
  return `<div class="wide"><table><thead>${cells(header, "th")}</thead><tbody>${rows.map((row) => cells(row, "td")).join("")}</tbody></table></div>`;
}

function renderInlines(tokens: readonly Token[]): string {
  return tokens.map((token) => renderInline(token as MarkedToken)).join("");
}

function renderInline(token: MarkedToken): string {
  switch (token.type) {
    case "strong":
      return `<strong>${renderInlines(token.tokens)}</strong>`;
    case "em":
      return `<em>${renderInlines(token.tokens)}</em>`;
    case "del":
      return `<del>${renderInlines(token.tokens)}</del>`;
    case "codespan":
      return `<code>${escapeHtml(token.text)}</code>`;
    case "br":
      return "<br>";
    case "link": {
      const url = safeUrl(token.href);
      const label = renderInlines(token.tokens);
      return url ? `<a href="${escapeHtml(url)}" rel="noreferrer noopener">${label}</a>` : label;
    }
    case "image":
      return `<em>${escapeHtml(token.text || "image")}</em>`;
    case "escape":
      return escapeHtml(token.text);
    case "text":
      return token.tokens ? renderInlines(token.tokens) : escapeHtml(token.text);
    default:
      return escapeHtml(token.raw);
  }
}
