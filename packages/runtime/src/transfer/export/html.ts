import type { Attachment, FileChange } from "@gantry/protocol";
import {
  attachmentTag,
  diffBlock,
  escapeHtml,
  noteBlock,
  PAGE_END,
  pageHeader,
  pageStart,
  preBlock,
  textBlock,
  thoughtBlock,
  toolBlock,
  userBlock,
} from "@gantry/terminal/html";
import { duration, moment, money, tokens } from "./figures.ts";
import type { Page } from "./page.ts";
import type { Entry, ToolCall } from "./story.ts";
import { inputText, readText, shortenText } from "./texts.ts";

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
    const shownEntry = renderEntry(entry, page);
    yield entry.parent ? `<div class="nested">${shownEntry}</div>\n` : `${shownEntry}\n`;
    if (entry.kind !== "end") continue;
    yield turn ? "</section>\n" : "";
    turn = false;
  }
  yield `${turn ? "</section>\n" : ""}<footer>Exported with Gantry ${escapeHtml(page.version)} on ${moment(page.now)} UTC.${page.redacted ? " Paths are shortened and possible secrets are redacted." : ""}</footer>\n</main>\n${PAGE_END}`;
}

function head({ view, agentName, redacted, clean }: Page): string {
  const title = clean(view.title);
  const header = pageHeader(title, [
    ["Agent", agentName],
    ["Model", view.servedModel ?? view.model],
    ["Folder", clean(view.cwd)],
    ["Started", `${moment(view.createdAt)} UTC`],
    ["Turns", String(view.turns)],
    ["Tokens", view.usage.input + view.usage.output > 0 ? tokens(view.usage) : undefined],
    ["Cost", view.cost && view.cost.usd > 0 ? money(view.cost) : undefined],
    ["Redacted", redacted ? "yes" : undefined],
  ]);
  return `${pageStart({ title })}<main>\n${header}`;
}

function renderEntry(entry: Exclude<Entry, { kind: "turn" }>, page: Page): string {
  const { clean } = page;
  switch (entry.kind) {
    case "user": {
      const author = entry.inline ? "sent during the turn" : entry.author === "user" ? "" : entry.author;
      return userBlock(clean(entry.text), author, entry.attachments.map((file) => attachment(file, clean)).join(""));
    }
    case "text":
      return textBlock(clean(entry.text));
    case "thought":
      return thoughtBlock(clean(entry.text));
    case "tool":
      return tool(entry.call, page);
    case "plan":
      return planBlock(entry.entries, clean);
    case "asked": {
      const yes = entry.decision.startsWith("allow");
      const answer = `${DECISIONS[entry.decision] ?? entry.decision}${entry.by === "user" ? "" : ` by ${entry.by}`}`;
      const more = entry.message ? ` ${escapeHtml(clean(entry.message))}` : "";
      return `<p class="asked"><b>${escapeHtml(clean(entry.title))}</b> <span class="${yes ? "yes" : "no"}">${escapeHtml(answer)}</span>${more}</p>`;
    }
    case "note":
      return noteBlock(clean(entry.text), entry.severity);
    case "end":
      return renderEnd(entry, clean);
  }
}

type Steps = Extract<Entry, { kind: "plan" }>["entries"];

/** The progress of a plan with its current step; the steps are folded. */
function planBlock(steps: Steps, clean: (text: string) => string): string {
  const done = steps.filter(({ status }) => status === "completed").length;
  const now = steps.find(({ status }) => status === "in_progress");
  const doing = now ? `<b>${escapeHtml(clean(now.text))}</b>` : "";
  const items = steps.map(({ text, status }) => {
    return `<li><span>${MARKS[status]}</span><span class="${status}">${escapeHtml(clean(text))}</span></li>`;
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

function attachment({ data, mime = "", path, name }: Attachment, clean: (text: string) => string): string {
  return attachmentTag({ name: clean(name ?? path ?? "file"), mime, data });
}

function tool(call: ToolCall, { blobs, clean }: Page): string {
  const figures = [
    call.exitCode === undefined || call.exitCode === null || call.exitCode === 0 ? undefined : `exit ${call.exitCode}`,
    call.status === "ok" || call.status === "open" ? undefined : call.status,
    call.durationMs === undefined || call.durationMs < 100 ? undefined : duration(call.durationMs),
  ].filter((part) => part);
  const given = call.changes?.some(({ diff }) => diff) ? undefined : inputText(call.input, clean);
  const input = given?.trim() === clean(call.title).trim() ? undefined : given;
  const output = call.output === undefined ? undefined : readText(call.output, blobs, clean).text;
  return toolBlock({
    title: clean(call.title || call.name),
    mono: call.kind === "execute",
    status: call.status,
    figures: figures.join(" · "),
    bodyHtml: [
      ...(call.changes ?? []).map((change) => changeBlock(change, clean)),
      input ? preBlock(shortenText(input).text, call.name) : "",
      output ? preBlock(output, "output") : "",
    ].join(""),
  });
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
  const heading = `<p class="path"><span class="mono">${escapeHtml(clean(name))}</span><span class="kind">${kind === "update" ? "" : kind}</span>${counts}</p>`;
  return diff ? `${heading}${diffBlock(shortenText(clean(diff)).text)}` : heading;
}

function patchBlock(patch: string): string {
  const files = patch.match(/^diff --git /gm)?.length ?? 0;
  const count = files === 1 ? "one file" : `${files} files`;
  const bodyHtml = diffBlock(shortenText(patch).text);
  return `${toolBlock({ title: "What the turn changed", status: "changed", figures: count, bodyHtml })}\n`;
}

function renderEnd(entry: Extract<Entry, { kind: "end" }>, clean: (text: string) => string): string {
  const { outcome, error, usage, cost, durationMs, model } = entry;
  const failed = error && outcome === "failed" ? noteBlock(clean(error), "error") : "";
  const parts = [
    outcome === "completed" ? undefined : `<span class="${outcome}">${outcome}</span>`,
    durationMs === undefined ? undefined : `<span>${duration(durationMs)}</span>`,
    usage && usage.input + usage.output > 0 ? `<span>${tokens(usage)}</span>` : undefined,
    cost && cost.usd > 0 ? `<span>${money(cost)}</span>` : undefined,
    model ? `<span>${escapeHtml(model)}</span>` : undefined,
  ].filter((part) => part);
  return parts.length > 0 ? `${failed}<p class="end">${parts.join("")}</p>` : failed;
}
