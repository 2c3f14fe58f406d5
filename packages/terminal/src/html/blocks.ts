import { escapeHtml } from "./escape.ts";
import { markdownHtml } from "./markdown-html.ts";

const IMAGE_TYPES = /^image\/(png|jpeg|gif|webp)$/;
const BASE64 = /^[A-Za-z0-9+/=\s]*$/;

/** The parts of a transcript. Every argument is plain text unless its name ends with `Html`. */
export function userBlock(text: string, author: string, attachmentsHtml = ""): string {
  const label = author ? `<span class="author">${escapeHtml(author)}</span>` : "";
  return `<div class="user">${label}${escapeHtml(text)}${attachmentsHtml}</div>`;
}

export function textBlock(markdown: string): string {
  return `<div class="text">${markdownHtml(markdown)}</div>`;
}

export function thoughtBlock(markdown: string): string {
  return `<details class="thought"><summary>Thought</summary>${textBlock(markdown)}</details>`;
}

export function noteBlock(text: string, severity: "info" | "warning" | "error"): string {
  return `<p class="note ${severity}">${escapeHtml(text)}</p>`;
}

/** An embedded image, or its name if the data is not an image that browsers show. */
export function attachmentTag({ name, mime, data }: { name: string; mime: string; data?: string | undefined }): string {
  const isImage = data !== undefined && IMAGE_TYPES.test(mime) && BASE64.test(data);
  return isImage
    ? `<img alt="${escapeHtml(name)}" src="data:${mime};base64,${data.replace(/\s/g, "")}">`
    : `<span class="file">${escapeHtml(name)}</span>`;
}

export type ToolBlock = {
  title: string;
  /** Monospaced, for a command. */
  mono?: boolean;
  status: "ok" | "error" | "denied" | "interrupted" | "open" | "changed";
  figures?: string;
  bodyHtml: string;
};

/** A folded tool call. */
export function toolBlock({ title, mono = false, status, figures = "", bodyHtml }: ToolBlock): string {
  const heading = `<span class="title${mono ? " mono" : ""}">${escapeHtml(title)}</span><span class="state">${escapeHtml(figures)}</span>`;
  const body = bodyHtml || '<span class="label">no output</span>';
  return `<details class="tool ${status}"><summary>${heading}</summary><div class="body">${body}</div></details>`;
}

export function preBlock(text: string, label?: string): string {
  const heading = label === undefined ? "" : `<span class="label">${escapeHtml(label)}</span>`;
  return `${heading}<pre>${escapeHtml(text)}</pre>`;
}

export function diffBlock(diff: string): string {
  const lines = diff
    .replace(/\n$/, "")
    .split("\n")
    .filter((line) => !line.startsWith("index "));
  return `<pre class="diff">${lines.map((line) => `<span class="${lineClass(line)}">${escapeHtml(line) || " "}</span>`).join("")}</pre>`;
}

function lineClass(line: string): string {
  if (/^(@@|diff |index |--- |\+\+\+ |new file|deleted file|rename |similarity )/.test(line)) return "hunk";
  if (line.startsWith("+")) return "add";
  return line.startsWith("-") ? "del" : "";
}
