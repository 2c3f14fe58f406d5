/**
 * The script of the exported page: the tree, its search and the selected branch. Entries are rendered by the exporter;
 * the script clones their templates, long branches in chunks, so that the page stays responsive.
 */
export const SCRIPT = String.raw`
"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const entries = new Map(data.entries.map((entry) => [entry.id, entry]));
const elements = document.querySelectorAll("template[data-entry]");
const templates = new Map(data.entries.map((entry, index) => [entry.id, elements[index].content]));
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

/** The searchable text of an entry, including call arguments. */
function searchable(entry) {
  if (!searchTexts.has(entry.id))
    searchTexts.set(entry.id, (templates.get(entry.id).textContent + "\n" + (data.labels[entry.id] ?? "")).toLowerCase());
  return searchTexts.get(entry.id);
}

function article(entry) {
  return make("article", { id: "e-" + entry.id, className: entry.look }, templates.get(entry.id).cloneNode(true));
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
  const { kind } = entry;
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
  const look = entry.kind + (onPath.has(entry.id) ? " on" : "");
  const button = make("button", { type: "button", id: "r-" + entry.id, className: look }, label ? make("b", {}, "★ " + label + " ") : undefined, entry.text);
  if (entry.id === current) button.setAttribute("aria-current", "true");
  button.style.paddingLeft = 8 + Math.min(depth, 12) * 14 + "px";
  button.addEventListener("click", () => go(entry.id));
  return make("li", { ariaPosInSet: String(place), ariaSetSize: String(rows.length) }, button);
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
const main = document.querySelector("main");
main.before(make("nav", { ariaLabel: "Session" }, form, scroller));
main.append(box);
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
