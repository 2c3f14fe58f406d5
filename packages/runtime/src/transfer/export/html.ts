import type { Attachment, FileChange } from "@gantry/protocol";
import { escaped } from "./escape.ts";
import { duration, moment, money, tokens } from "./figures.ts";
import { markdownHtml } from "./markdown-html.ts";
import type { Page } from "./page.ts";
import type { Entry, ToolCall } from "./story.ts";
import { style } from "./style.ts";
import { inputText, shortened, shown } from "./texts.ts";

const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";
const PICTURES = /^image\/(png|jpeg|gif|webp)$/;
const BASE64 = /^[A-Za-z0-9+/=\s]*$/;

/** A session as one self-contained page: no script, no external resources, all text escaped. */
export async function* html(page: Page): AsyncGenerator<string> {
  yield head(page);
  let turn = false;
  for await (const entry of page.entries()) {
    if (entry.kind === "turn") {
      yield `${turn ? "</section>\n" : ""}<section class="turn" id="e${entry.seq}">\n`;
      yield `<p class="when"><a href="#e${entry.seq}">${moment(entry.at)} UTC</a></p>\n`;
      turn = true;
      continue;
    }
    const patch = entry.kind === "end" && entry.turn ? await page.patchOf(entry.turn) : undefined;
    if (patch) yield patchBlock(patch);
    const shownEntry = one(entry, page);
    yield entry.parent ? `<div class="nested">${shownEntry}</div>\n` : `${shownEntry}\n`;
    if (entry.kind !== "end") continue;
    yield turn ? "</section>\n" : "";
    turn = false;
  }
  yield `${turn ? "</section>\n" : ""}<footer>Exported with Gantry ${escaped(page.version)} on ${moment(page.now)} UTC.${page.redacted ? " Paths are shortened and possible secrets are redacted." : ""}</footer>\n</main>\n</body>\n</html>\n`;
}

function head({ view, agentName, redacted, clean }: Page): string {
  const title = escaped(clean(view.title));
  const facts: [string, string | undefined][] = [
    ["Agent", agentName],
    ["Model", view.servedModel ?? view.model],
    ["Folder", clean(view.cwd)],
    ["Started", `${moment(view.createdAt)} UTC`],
    ["Turns", String(view.turns)],
    ["Tokens", view.usage.input + view.usage.output > 0 ? tokens(view.usage) : undefined],
    ["Cost", view.cost && view.cost.usd > 0 ? money(view.cost) : undefined],
    ["Redacted", redacted ? "yes" : undefined],
  ];
  const rows = facts.flatMap(([name, value]) =>
    value ? [`<div><dt>${name}</dt><dd>${escaped(value)}</dd></div>`] : [],
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="Gantry">
<title>${title}</title>
<style>
${style}
</style>
</head>
<body>
<main>
<header>
<h1>${title}</h1>
<dl class="facts">${rows.join("")}</dl>
</header>
`;
}

function one(entry: Exclude<Entry, { kind: "turn" }>, page: Page): string {
  const { clean } = page;
  switch (entry.kind) {
    case "user": {
      const author = entry.inline ? "sent during the turn" : entry.author === "user" ? "" : entry.author;
      const label = author ? `<span class="author">${escaped(author)}</span>` : "";
      return `<div class="user">${label}${escaped(clean(entry.text))}${entry.attachments.map((file) => attachment(file, clean)).join("")}</div>`;
    }
    case "text":
      return `<div class="text">${markdownHtml(clean(entry.text))}</div>`;
    case "thought":
      return `<details class="thought"><summary>Thought</summary><div class="text">${markdownHtml(clean(entry.text))}</div></details>`;
    case "tool":
      return tool(entry.call, page);
    case "plan":
      return planBlock(entry.entries, clean);
    case "asked": {
      const yes = entry.decision.startsWith("allow");
      const answer = `${DECISIONS[entry.decision] ?? entry.decision}${entry.by === "user" ? "" : ` by ${entry.by}`}`;
      const more = entry.message ? ` ${escaped(clean(entry.message))}` : "";
      return `<p class="asked"><b>${escaped(clean(entry.title))}</b> <span class="${yes ? "yes" : "no"}">${escaped(answer)}</span>${more}</p>`;
    }
    case "note":
      return `<p class="note ${entry.severity}">${escaped(clean(entry.text))}</p>`;
    case "end":
      return ending(entry, clean);
  }
}

type Steps = Extract<Entry, { kind: "plan" }>["entries"];

/** The progress of a plan with its current step; the steps are folded. */
function planBlock(steps: Steps, clean: (text: string) => string): string {
  const done = steps.filter(({ status }) => status === "completed").length;
  const now = steps.find(({ status }) => status === "in_progress");
  const doing = now ? `<b>${escaped(clean(now.text))}</b>` : "";
  const items = steps.map(({ text, status }) => {
    return `<li><span>${MARKS[status]}</span><span class="${status}">${escaped(clean(text))}</span></li>`;
  });
  return `<details class="steps"><summary><span>Plan ${done}/${steps.length}</span>${doing}</summary><ul class="plan">${items.join("")}</ul></details>`;
}

const MARKS = { pending: "○", in_progress: "◐", completed: "●" };
const DECISIONS: Record<string, string> = {
  allow: "allowed",
  allow_session: "allowed for the session",
  deny: "denied",
  cancel: "withdrawn",
};

function attachment(file: Attachment, clean: (text: string) => string): string {
  const { data, mime = "", path } = file;
  const name = escaped(clean(file.name ?? path ?? "file"));
  const isPicture = data !== undefined && PICTURES.test(mime) && BASE64.test(data);
  return isPicture
    ? `<img alt="${name}" src="data:${mime};base64,${data.replace(/\s/g, "")}">`
    : `<span class="file">${name}</span>`;
}

function tool(call: ToolCall, { blobs, clean }: Page): string {
  const figures = [
    call.exitCode === undefined || call.exitCode === null || call.exitCode === 0 ? undefined : `exit ${call.exitCode}`,
    call.status === "ok" || call.status === "open" ? undefined : call.status,
    call.durationMs === undefined || call.durationMs < 100 ? undefined : duration(call.durationMs),
  ].filter((part) => part);
  const title = escaped(clean(call.title || call.name));
  const mono = call.kind === "execute" ? " mono" : "";
  const given = call.changes?.some(({ diff }) => diff) ? undefined : inputText(call.input, clean);
  const input = given?.trim() === clean(call.title).trim() ? undefined : given;
  const output = call.output === undefined ? undefined : shown(call.output, blobs, clean).text;
  const body = [
    ...(call.changes ?? []).map((change) => changeBlock(change, clean)),
    input ? `<span class="label">${escaped(call.name)}</span><pre>${escaped(shortened(input).text)}</pre>` : "",
    output ? `<span class="label">output</span><pre>${escaped(output)}</pre>` : "",
  ].join("");
  return `<details class="tool ${call.status}"><summary><span class="title${mono}">${title}</span><span class="state">${figures.join(" · ")}</span></summary><div class="body">${body || '<span class="label">no output</span>'}</div></details>`;
}

function changeBlock(
  { path, kind, to, additions, deletions, diff }: FileChange,
  clean: (text: string) => string,
): string {
  const counts = [
    additions ? `<span class="plus">+${additions}</span>` : "",
    deletions ? `<span class="minus">−${deletions}</span>` : "",
  ].join(" ");
  const name = to ? `${path} → ${to}` : path;
  const heading = `<p class="path"><span class="mono">${escaped(clean(name))}</span><span class="kind">${kind === "update" ? "" : kind}</span>${counts}</p>`;
  return diff ? `${heading}${diffBlock(clean(diff))}` : heading;
}

function diffBlock(diff: string): string {
  const lines = shortened(diff)
    .text.replace(/\n$/, "")
    .split("\n")
    .filter((line) => !line.startsWith("index "));
  return `<pre class="diff">${lines.map((line) => `<span class="${lineClass(line)}">${escaped(line) || " "}</span>`).join("")}</pre>`;
}

function lineClass(line: string): string {
  if (/^(@@|diff |index |--- |\+\+\+ |new file|deleted file|rename |similarity )/.test(line)) return "hunk";
  if (line.startsWith("+")) return "add";
  return line.startsWith("-") ? "del" : "";
}

function patchBlock(patch: string): string {
  const files = patch.match(/^diff --git /gm)?.length ?? 0;
  const count = files === 1 ? "one file" : `${files} files`;
  return `<details class="tool changed"><summary><span class="title">What the turn changed</span><span class="state">${count}</span></summary><div class="body">${diffBlock(patch)}</div></details>\n`;
}

function ending(entry: Extract<Entry, { kind: "end" }>, clean: (text: string) => string): string {
  const { outcome, error, usage, cost, durationMs, model } = entry;
  const failed = error && outcome === "failed" ? `<p class="note error">${escaped(clean(error))}</p>` : "";
  const parts = [
    outcome === "completed" ? undefined : `<span class="${outcome}">${outcome}</span>`,
    durationMs === undefined ? undefined : `<span>${duration(durationMs)}</span>`,
    usage && usage.input + usage.output > 0 ? `<span>${tokens(usage)}</span>` : undefined,
    cost && cost.usd > 0 ? `<span>${money(cost)}</span>` : undefined,
    model ? `<span>${escaped(model)}</span>` : undefined,
  ].filter((part) => part);
  return parts.length > 0 ? `${failed}<p class="end">${parts.join("")}</p>` : failed;
}
