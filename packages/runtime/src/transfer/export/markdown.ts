import type { FileChange } from "@gantry/protocol";
import { duration, moment, money, tokens } from "./figures.ts";
import type { Page } from "./page.ts";
import type { Entry, ToolCall } from "./story.ts";
import { inputText, readText } from "./texts.ts";

const LONGEST = 8000;

/** A session as Markdown. The agent's text is unchanged; tool calls are folded. */
export async function* markdown(page: Page): AsyncGenerator<string> {
  yield head(page);
  for (const entry of page.entries()) {
    const text = renderEntry(entry, page);
    if (text) yield `${entry.parent ? quoteText(text) : text}\n\n`;
    if (entry.kind !== "end" || !entry.turn) continue;
    const patch = await page.patchOf(entry.turn);
    if (patch) yield `${renderDetails("What the turn changed", fenceText(cut(patch), "diff"))}\n\n`;
  }
  yield `---\n\nExported with Gantry ${page.version} on ${moment(page.now)} UTC.\n`;
}

function head({ view, agentName, clean }: Page): string {
  const facts: [string, string | undefined][] = [
    ["Agent", agentName],
    ["Model", view.servedModel ?? view.model],
    ["Folder", `\`${clean(view.cwd).replaceAll("`", "")}\``],
    ["Started", `${moment(view.createdAt)} UTC`],
    ["Turns", String(view.turns)],
    ["Tokens", view.usage.input + view.usage.output > 0 ? tokens(view.usage) : undefined],
    ["Cost", view.cost && view.cost.usd > 0 ? money(view.cost) : undefined],
  ];
  const rows = facts.flatMap(([name, value]) => (value ? [`| ${name} | ${value.replaceAll("|", "\\|")} |`] : []));
  return `# ${escapeText(clean(view.title))}\n\n| | |\n|---|---|\n${rows.join("\n")}\n\n`;
}

function renderEntry(entry: Entry, page: Page): string | undefined {
  const { clean } = page;
  switch (entry.kind) {
    case "turn":
      return `---\n\n## Turn ${entry.number} <sub>${moment(entry.at)} UTC</sub>`;
    case "user": {
      const files = entry.attachments
        .map((file) => `\n>\n> 📎 ${escapeText(clean(file.name ?? file.path ?? "file"))}`)
        .join("");
      return `${quoteText(`**You:** ${clean(entry.text)}`)}${files}`;
    }
    case "text":
      return clean(entry.text);
    case "thought":
      return renderDetails("Thought", quoteText(clean(entry.text)));
    case "tool":
      return tool(entry.call, page);
    case "plan":
      return entry.entries
        .map(({ text, status }) => `- [${status === "completed" ? "x" : " "}] ${escapeText(clean(text))}`)
        .join("\n");
    case "asked":
      return quoteText(
        `**${escapeText(clean(entry.title))}** — ${entry.decision}${entry.message ? `: ${clean(entry.message)}` : ""}`,
      );
    case "note":
      return quoteText(`${entry.severity === "info" ? "ℹ️" : "⚠️"} ${clean(entry.text)}`);
    case "end":
      return renderEnd(entry, clean);
  }
}

function tool(call: ToolCall, { blobs, clean }: Page): string {
  const exit = call.exitCode ? `, exit ${call.exitCode}` : "";
  const mark = { ok: "✅", error: "❌", denied: "🚫", interrupted: "⏹️", open: "…" }[call.status];
  const input = call.changes?.some(({ diff }) => diff) ? undefined : inputText(call.input, clean);
  const body = [
    ...(call.changes ?? []).map((change) => renderChange(change, clean)),
    input ? fenceText(cut(input), call.kind === "execute" ? "sh" : "") : "",
    call.output === undefined ? "" : fenceText(cut(readText(call.output, blobs, clean).text), ""),
  ].filter((part) => part !== "");
  const summary = `${mark} <code>${entities(clean(call.title || call.name))}</code>${exit}`;
  return body.length > 0 ? renderDetails(summary, body.join("\n\n")) : summary;
}

function renderChange({ path, kind, to, diff }: FileChange, clean: (text: string) => string): string {
  const name = `\`${clean(to ? `${path} → ${to}` : path).replaceAll("`", "")}\` (${kind})`;
  return diff ? `${name}\n\n${fenceText(cut(clean(diff)), "diff")}` : name;
}

function renderEnd(entry: Extract<Entry, { kind: "end" }>, clean: (text: string) => string): string | undefined {
  const { outcome, error, usage, cost, durationMs, model } = entry;
  const parts = [
    outcome === "completed" ? undefined : `**${outcome}**${error ? ` (${escapeText(clean(error))})` : ""}`,
    durationMs === undefined ? undefined : duration(durationMs),
    usage && usage.input + usage.output > 0 ? tokens(usage) : undefined,
    cost && cost.usd > 0 ? money(cost) : undefined,
    model,
  ].filter((part) => part);
  return parts.length > 0 ? `<sub>${parts.join(" · ")}</sub>` : undefined;
}

function renderDetails(summary: string, body: string): string {
  return `<details>\n<summary>${summary}</summary>\n\n${body}\n\n</details>`;
}

/** A fence longer than any in the text. */
function fenceText(text: string, language: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text.replace(/\n$/, "")}\n${fence}`;
}

function quoteText(text: string): string {
  return text
    .split("\n")
    .map((line) => `> ${line}`.trimEnd())
    .join("\n");
}

function cut(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}\n… ${text.length - LONGEST} characters left out`;
}

/** One line with Markdown characters escaped. */
function escapeText(text: string): string {
  return text.replace(/\s+/g, " ").replace(/[\\`*_[\]<>#|]/g, "\\$&");
}

function entities(text: string): string {
  return text.replace(/\s+/g, " ").replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
