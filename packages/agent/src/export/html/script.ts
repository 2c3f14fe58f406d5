/**
 * The script of the exported page. Text of the conversation is inserted only as text nodes. Folded parts are rendered
 * when they are opened, and long conversations in chunks, so that the page stays responsive.
 */
export const SCRIPT = String.raw`
"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const entries = new Map(data.entries.map((entry) => [entry.id, entry]));
const below = Map.groupBy(data.entries, (entry) => entry.parentId ?? "");
const searchTexts = new Map();
let rows = [];
let drawn = "";
let current;
let onPath = new Set();
let shown = [];
let round = 0;

function make(tag, props, ...inner) {
  const element = Object.assign(document.createElement(tag), props);
  element.append(...inner.filter((part) => part !== undefined && part !== null));
  return element;
}

function textOf(content) {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((block) => block?.text ?? block?.thinking ?? (block?.type === "toolCall" ? "→ " + block.name : "")).filter(Boolean).join("\n");
}

function kindOf(entry) {
  if (entry.type !== "message") return entry.type === "custom_message" ? "custom" : entry.type;
  return entry.message.role;
}

function textOfEntry(entry) {
  const message = entry.message ?? entry;
  if (message.role === "bashExecution") return "$ " + message.command + "\n" + message.output;
  return textOf(message.content) || String(message.summary ?? message.model ?? message.thinkingLevel ?? message.label ?? message.mode ?? entry.customType ?? "");
}

/** The searchable text of an entry, including call arguments. */
function searchable(entry) {
  if (!searchTexts.has(entry.id)) {
    const message = entry.message ?? entry;
    const calls = Array.isArray(message.content) ? message.content.filter((block) => block?.type === "toolCall") : [];
    const texts = [textOfEntry(entry), message.toolName, ...calls.map((call) => JSON.stringify(call.arguments)), data.labels[entry.id]];
    searchTexts.set(entry.id, texts.join("\n").toLowerCase());
  }
  return searchTexts.get(entry.id);
}

function textBox(text) {
  const box = make("div", { className: "text" });
  const parts = String(text).split(/^\x60\x60\x60[^\n]*\n?/m);
  parts.forEach((part, index) => {
    if (part === "") return;
    box.append(index % 2 ? make("pre", {}, part.replace(/\n$/, "")) : document.createTextNode(part));
  });
  return box;
}

function folded(title, bad, fill) {
  const details = make("details", { className: bad ? "bad" : "" }, make("summary", {}, ...title));
  details.addEventListener("toggle", () => {
    if (details.open && details.childElementCount === 1) details.append(...fill());
  });
  return details;
}

function picture(block) {
  const mime = /^image\/[\w.+-]+$/.test(block.mimeType) ? block.mimeType : "image/png";
  return make("img", { alt: "picture", loading: "lazy", src: "data:" + mime + ";base64," + block.data });
}

function blocks(content) {
  if (!Array.isArray(content)) return [textBox(textOf(content))];
  return content.filter(Boolean).map((block) => {
    if (block.type === "image") return picture(block);
    if (block.type === "thinking") return folded(["Thinking"], false, () => [textBox(block.thinking ?? "")]);
    if (block.type !== "toolCall") return textBox(block.text ?? "");
    return folded([make("b", {}, String(block.name)), " " + oneLine(JSON.stringify(block.arguments ?? {}), 110)], false, () => [
      make("pre", {}, JSON.stringify(block.arguments, null, 2) ?? ""),
    ]);
  });
}

function bodyOf(entry) {
  const message = entry.message ?? entry;
  const kind = kindOf(entry);
  if (kind === "toolResult") {
    const title = ["Result of ", make("b", {}, String(message.toolName)), ": " + oneLine(textOf(message.content), 90)];
    const pictures = Array.isArray(message.content) ? message.content.filter((block) => block?.type === "image") : [];
    return [folded(title, message.isError, () => [make("pre", {}, textOf(message.content))]), ...pictures.map(picture)];
  }
  if (kind === "bashExecution") return [folded([make("b", {}, "$ " + message.command)], message.exitCode > 0, () => [make("pre", {}, String(message.output))])];
  if (kind === "session_init") return [folded(["System text"], false, () => [make("pre", {}, String(entry.systemPrompt))])];
  if (["user", "developer", "assistant", "custom"].includes(kind)) {
    const failed = message.errorMessage ? [make("p", { className: "bad" }, String(message.errorMessage))] : [];
    return [...blocks(message.content), ...failed];
  }
  return [textBox(textOfEntry(entry))];
}

const NAMES = { user: "User", assistant: "Assistant", toolResult: "", custom: "Note", compaction: "Compaction", branch_summary: "Summary of another branch",
  model_change: "Model", thinking_level_change: "Thinking", bashExecution: "", developer: "Program", session_init: "", mode_change: "Mode" };

function article(entry) {
  const kind = kindOf(entry);
  const label = data.labels[entry.id];
  const name = NAMES[kind] ?? kind;
  const time = new Date(entry.timestamp);
  const head = name === "" && !label ? undefined : make("div", { className: "who" }, [name, entry.message?.model, kind === "user" ? time.toLocaleString() : "", label && "★ " + label].filter(Boolean).join(" · "));
  const look = ["user", "assistant", "toolResult", "bashExecution"].includes(kind) ? kind : "aside";
  return make("article", { id: "e-" + entry.id, className: look }, head, ...bodyOf(entry));
}

function oneLine(text, length) {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > length ? line.slice(0, length) + "…" : line;
}

function pathTo(id) {
  const path = [];
  for (let entry = entries.get(id); entry; entry = entries.get(entry.parentId)) path.push(entry);
  return path.reverse();
}

function newestBelow(id) {
  for (let next = below.get(id); next; next = below.get(id)) id = next.at(-1).id;
  return id;
}

const HIDDEN = new Set(["label", "custom", "ttsr_injection"]);
const isShown = (entry) => !HIDDEN.has(entry.type);

/** Shows the branch that ends in this entry: the visible part first, the rest in chunks. */
function show(leaf, target) {
  shown = pathTo(leaf).filter(isShown);
  const mine = ++round;
  box.replaceChildren();
  let at = 0;
  const more = () => {
    if (mine !== round) return;
    box.append(...shown.slice(at, (at += 250)).map(article));
    if (at < shown.length) setTimeout(more);
    else if (target) reveal(target);
  };
  more();
  onPath = new Set(pathTo(leaf).map((entry) => entry.id));
}

function reveal(id) {
  document.querySelectorAll(".hit").forEach((element) => element.classList.remove("hit"));
  const element = document.getElementById("e-" + id);
  if (!element) return;
  element.classList.add("hit");
  element.scrollIntoView({ block: "start" });
}

function go(id) {
  current = id;
  if (shown.some((entry) => entry.id === id) && document.getElementById("e-" + id)) reveal(id);
  else show(newestBelow(id), id);
  drawRows(true);
  document.getElementById("r-" + id)?.focus();
}

function passes(entry, filter) {
  const kind = kindOf(entry);
  if (filter === "all") return true;
  if (filter === "user") return kind === "user";
  if (filter === "labeled") return data.labels[entry.id] !== undefined;
  if (filter === "no-tools" && (kind === "toolResult" || kind === "bashExecution")) return false;
  return isShown(entry);
}

function drawTree() {
  const wanted = search.value.trim().toLowerCase();
  rows = [];
  const open = (below.get("") ?? []).map((entry) => [entry, 0]).reverse();
  for (let next = open.pop(); next; next = open.pop()) {
    const [entry, depth] = next;
    const inner = below.get(entry.id) ?? [];
    for (const child of inner.toReversed()) open.push([child, depth + (inner.length > 1 ? 1 : 0)]);
    if (passes(entry, filter.value) && (!wanted || searchable(entry).includes(wanted))) rows.push(next);
  }
  count.textContent = rows.length + (rows.length === 1 ? " entry" : " entries");
  space.style.height = rows.length * ROW + "px";
  drawRows(true);
}

/** Renders only the visible rows, because a tree may be as long as the session. */
function drawRows(force) {
  const first = Math.max(0, Math.floor(scroller.scrollTop / ROW) - 10);
  const last = Math.min(rows.length, first + Math.ceil(scroller.clientHeight / ROW) + 20);
  if (!force && drawn === first + " " + last) return;
  drawn = first + " " + last;
  tree.style.transform = "translateY(" + first * ROW + "px)";
  tree.replaceChildren(...rows.slice(first, last).map(([entry, depth], index) => row(entry, depth, first + index + 1)));
}

function row(entry, depth, place) {
  const label = data.labels[entry.id];
  const look = kindOf(entry) + (onPath.has(entry.id) ? " on" : "");
  const button = make("button", { type: "button", id: "r-" + entry.id, className: look }, label ? make("b", {}, "★ " + label + " ") : undefined, oneLine(textOfEntry(entry), 90) || kindOf(entry));
  if (entry.id === current) button.setAttribute("aria-current", "true");
  button.style.paddingLeft = 8 + Math.min(depth, 12) * 14 + "px";
  button.addEventListener("click", () => go(entry.id));
  return make("li", { ariaPosInSet: String(place), ariaSetSize: String(rows.length) }, button);
}

function heading() {
  const answers = data.entries.filter((entry) => kindOf(entry) === "assistant").map((entry) => entry.message);
  const tokens = answers.reduce((sum, { usage }) => sum + (usage?.totalTokens ?? 0), 0);
  const cost = answers.reduce((sum, { usage }) => sum + (usage?.cost?.total ?? 0), 0);
  const figures = [data.entries.length + " entries", answers.length + " answers", tokens + " tokens", cost > 0 ? "$" + cost.toFixed(4) : ""];
  const { title, id, cwd, timestamp, parentSession } = data.header;
  return make("header", {}, make("h1", {}, title ?? "Session " + id), make("p", {}, cwd + " · " + new Date(timestamp).toLocaleString()),
    make("p", {}, figures.filter(Boolean).join(" · ")), parentSession ? make("p", {}, "From " + parentSession) : undefined);
}

const search = make("input", { type: "search", placeholder: "Search", ariaLabel: "Search" });
const filter = make("select", { ariaLabel: "What the tree shows" }, ...[["default", "Conversation"], ["no-tools", "Without tools"], ["user", "User only"], ["labeled", "Labeled only"], ["all", "All entries"]].map(([value, text]) => make("option", { value }, text)));
const theme = make("button", { type: "button" }, "Theme: system");
const count = make("div", { className: "count", role: "status" });
const ROW = 28;
const tree = make("ol", { ariaLabel: "Tree of the session" });
const space = make("div", {}, tree);
const scroller = make("div", { className: "tree" }, space);
const box = make("div", {});
const form = make("form", {}, search, make("div", { className: "row" }, filter, theme), count);
document.body.append(make("nav", { ariaLabel: "Session" }, form, scroller), make("main", {}, heading(), box));
form.addEventListener("submit", (event) => event.preventDefault());
let typing;
search.addEventListener("input", () => {
  clearTimeout(typing);
  typing = setTimeout(drawTree, 120);
});
filter.addEventListener("change", drawTree);
scroller.addEventListener("scroll", () => drawRows(false));
addEventListener("resize", () => drawRows(true));
const THEMES = ["system", "light", "dark"];
theme.addEventListener("click", () => {
  const next = THEMES[(THEMES.indexOf(document.documentElement.dataset.theme ?? "system") + 1) % 3];
  if (next === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = next;
  theme.textContent = "Theme: " + next;
});
show(data.leafId ?? data.entries.at(-1)?.id);
drawTree();
`;
