/** The style of exported sessions: light or dark, as the system or the reader chooses. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --page: light-dark(#fbfaf8, #16171a); --surface: light-dark(#fff, #1d1f23); --sunken: light-dark(#f1f0ed, #101114);
  --line: light-dark(#e5e3de, #33363c); --ink: light-dark(#1d1c1a, #ecebe8); --soft: light-dark(#55524c, #b3afa7);
  --faint: light-dark(#6b6861, #a09a91); --accent: light-dark(#2b56c6, #8eabff); --wash: light-dark(#ebf0fd, #1c2540);
  --good: light-dark(#1b6e3c, #67c48b); --bad: light-dark(#b3261e, #f28b82); --bad-wash: light-dark(#fcebe9, #331917);
  --need: light-dark(#8d5600, #eab04e); --need-wash: light-dark(#fdf4e1, #2f2512); --added: light-dark(#e6f4ea, #13281a);
  --removed: light-dark(#fcebe9, #311a18);
}
:root[data-theme="light"] { color-scheme: light; }
:root[data-theme="dark"] { color-scheme: dark; }
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body {
  margin: 0; background: var(--page); color: var(--ink);
  font: 15px/1.6 "Inter", ui-sans-serif, system-ui, -apple-system, "Segoe UI", "Noto Sans", sans-serif;
}
main { max-width: 52rem; margin: 0 auto; padding: 0 1.25rem 5rem; }
header { padding: 3.5rem 0 1.4rem; border-bottom: 1px solid var(--line); margin-bottom: 0.25rem; }
h1 { font-size: 1.65rem; line-height: 1.25; letter-spacing: -0.015em; margin: 0 0 0.9rem; overflow-wrap: anywhere; }
.facts { display: flex; flex-wrap: wrap; gap: 0.25rem 1.5rem; margin: 0; font-size: 0.8125rem; }
.facts div { display: flex; gap: 0.45rem; min-width: 0; }
.facts dt { color: var(--faint); }
.facts dd { margin: 0; color: var(--soft); overflow-wrap: anywhere; }
.turn { padding: 1.5rem 0 0.5rem; }
.turn + .turn { border-top: 1px solid var(--line); margin-top: 1.25rem; }
.when { font-size: 0.75rem; color: var(--faint); margin: 0 0 0.6rem; display: flex; gap: 0.75rem; }
.when a { color: inherit; text-decoration: none; font-variant-numeric: tabular-nums; }
div.user { background: var(--wash); border-radius: 0.75rem; padding: 0.8rem 1.05rem; margin: 0 0 1.1rem; white-space: pre-wrap; overflow-wrap: anywhere; }
.user .author { display: block; font-size: 0.75rem; color: var(--accent); font-weight: 600; margin-bottom: 0.1rem; }
.user img { display: block; max-width: min(100%, 28rem); max-height: 28rem; border-radius: 0.5rem; margin-top: 0.6rem; }
.file { display: inline-block; font-size: 0.8125rem; color: var(--soft); border: 1px solid var(--line); background: var(--surface); border-radius: 0.4rem; padding: 0.1rem 0.5rem; margin: 0.5rem 0.4rem 0 0; }
.text { margin: 0 0 1rem; overflow-wrap: anywhere; }
.text > :first-child { margin-top: 0; }
.text > :last-child { margin-bottom: 0; }
.text p, .text ul, .text ol { margin: 0.65rem 0; }
.text ul, .text ol { padding-left: 1.5rem; }
.text li { margin: 0.2rem 0; }
.text h3, .text h4, .text h5, .text h6 { line-height: 1.3; margin: 1.3rem 0 0.5rem; font-size: 1.05rem; }
.text h3 { font-size: 1.2rem; }
.text a { color: var(--accent); }
.text blockquote { margin: 0.75rem 0; padding: 0.05rem 0 0.05rem 0.95rem; border-left: 3px solid var(--line); color: var(--soft); }
.text hr { border: 0; border-top: 1px solid var(--line); margin: 1.25rem 0; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: 0.875rem; margin: 0.75rem 0; }
th, td { border: 1px solid var(--line); padding: 0.35rem 0.65rem; text-align: left; vertical-align: top; }
th { background: var(--sunken); font-weight: 600; }
code, pre, .mono { font-family: ui-monospace, "SF Mono", "JetBrains Mono", "Cascadia Code", Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: 0.8125rem; }
:not(pre) > code { background: var(--sunken); border: 1px solid var(--line); border-radius: 0.3rem; padding: 0.05rem 0.3rem; }
pre { margin: 0.75rem 0; padding: 0.75rem 0.95rem; background: var(--sunken); border: 1px solid var(--line); border-radius: 0.5rem; overflow-x: auto; line-height: 1.5; tab-size: 4; white-space: pre-wrap; overflow-wrap: anywhere; }
details { margin: 0 0 0.4rem; }
details > summary { list-style: none; cursor: pointer; display: flex; align-items: baseline; gap: 0.55rem; padding: 0.3rem 0.6rem; border-radius: 0.5rem; font-size: 0.8125rem; color: var(--soft); }
details > summary::-webkit-details-marker { display: none; }
details > summary::before {
  content: ""; flex: none; align-self: center; width: 0.4rem; height: 0.4rem; margin: 0 0.15rem 0 0.1rem;
  border: solid var(--faint); border-width: 0 1.5px 1.5px 0; transform: rotate(-45deg);
}
details[open] > summary::before { transform: rotate(45deg) translate(-1px, -1px); }
details + .text, details + .asked, details + .note, details + .nested { margin-top: 1.1rem; }
details > summary:hover { background: var(--sunken); }
summary:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
.tool { border: 1px solid var(--line); border-radius: 0.6rem; background: var(--surface); }
.tool > summary { padding: 0.42rem 0.75rem; }
.tool > summary:hover { background: none; color: var(--ink); }
.title { flex: 1; min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; color: var(--ink); }
.tool[open] .title { white-space: normal; overflow-wrap: anywhere; }
.state { flex: none; font-size: 0.75rem; font-variant-numeric: tabular-nums; color: var(--faint); }
.ok .state::before { content: "✓ "; color: var(--good); }
.error .state, .denied .state { color: var(--bad); }
.error .state::before { content: "✕ "; }
.denied .state::before { content: "⊘ "; }
.interrupted .state { color: var(--need); }
.interrupted .state::before { content: "◼ "; }
.body { padding: 0 0.75rem 0.75rem; }
.body pre { margin: 0.4rem 0 0; max-height: 32rem; overflow: auto; }
.label { display: block; font-size: 0.6875rem; letter-spacing: 0.04em; text-transform: uppercase; color: var(--faint); margin: 0.6rem 0 0; }
.diff { padding: 0; white-space: pre; overflow-wrap: normal; }
.diff span { display: block; padding: 0 0.95rem; min-width: max-content; }
.diff .add { background: var(--added); }
.diff .del { background: var(--removed); }
.diff .hunk { color: var(--faint); background: var(--surface); }
.path { display: flex; gap: 0.6rem; align-items: baseline; font-size: 0.8125rem; margin: 0.6rem 0 0; overflow-wrap: anywhere; }
.kind { color: var(--faint); }
.plus { color: var(--good); } .minus { color: var(--bad); }
.thought > summary { color: var(--faint); font-style: italic; }
.thought .text { color: var(--soft); padding: 0 0 0 1.75rem; font-size: 0.9375rem; }
.nested { margin-left: 1.25rem; padding-left: 0.85rem; border-left: 2px solid var(--line); }
.steps b { color: var(--ink); font-weight: 500; }
.plan { list-style: none; margin: 0; padding: 0.2rem 0.6rem 0.5rem 2rem; font-size: 0.875rem; }
.plan li { display: flex; gap: 0.55rem; }
.plan .completed { color: var(--faint); text-decoration: line-through; }
.plan .in_progress { font-weight: 600; }
.note { font-size: 0.8125rem; color: var(--faint); margin: 0 0 0.7rem; padding: 0.15rem 0 0.15rem 0.75rem; border-left: 2px solid var(--line); white-space: pre-wrap; overflow-wrap: anywhere; }
.note.warning { color: var(--need); background: var(--need-wash); border-left-color: var(--need); border-radius: 0 0.4rem 0.4rem 0; padding-block: 0.4rem; }
.note.error { color: var(--bad); background: var(--bad-wash); border-left-color: var(--bad); border-radius: 0 0.4rem 0.4rem 0; padding-block: 0.4rem; }
.asked { font-size: 0.8125rem; color: var(--soft); margin: 0 0 0.7rem; padding: 0.15rem 0 0.15rem 0.75rem; border-left: 2px solid var(--line); overflow-wrap: anywhere; }
.asked b { color: var(--ink); font-weight: 600; }
.asked .yes { color: var(--good); } .asked .no { color: var(--bad); }
.changed { margin-top: 1.1rem; }
.end { font-size: 0.75rem; color: var(--faint); display: flex; flex-wrap: wrap; gap: 0 1rem; margin: 0.9rem 0 0; font-variant-numeric: tabular-nums; }
.end .failed { color: var(--bad); } .end .interrupted { color: var(--need); }
footer { border-top: 1px solid var(--line); margin-top: 2rem; padding-top: 1rem; font-size: 0.75rem; color: var(--faint); }
body.tree-layout { display: grid; grid-template-columns: minmax(220px, 320px) minmax(0, 1fr); height: 100vh; }
.tree-layout main { overflow: auto; max-width: none; padding: 0 clamp(16px, 4vw, 56px) 80px; }
.tree-layout header, article { max-width: 860px; margin: 0 auto 18px; }
nav { display: flex; flex-direction: column; min-height: 0; background: var(--sunken); border-right: 1px solid var(--line); }
nav form { display: grid; gap: 8px; padding: 12px; border-bottom: 1px solid var(--line); }
input, select, button { font: inherit; color: inherit; background: var(--page); border: 1px solid var(--line); border-radius: 6px; padding: 5px 9px; }
input { width: 100%; }
.row { display: flex; gap: 8px; }
.row select { flex: 1; min-width: 0; }
nav .tree { overflow: auto; flex: 1; min-height: 0; padding: 0 6px; }
nav ol { list-style: none; margin: 0; padding: 0; }
nav li button { display: block; width: 100%; height: 28px; border: 0; background: none; text-align: left; font-size: 13px; padding: 3px 8px; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; color: var(--faint); }
nav li button.on { color: var(--ink); }
nav li button.user { font-weight: 600; background: none; }
nav li button:hover, nav li button[aria-current] { background: var(--line); }
nav b { color: var(--accent); font-weight: 600; }
.count { color: var(--faint); font-size: 13px; }
article { content-visibility: auto; contain-intrinsic-size: auto 140px; scroll-margin-top: 12px; overflow-wrap: anywhere; }
article.aside { border-left: 3px solid var(--line); padding-left: 12px; color: var(--faint); }
article.hit { outline: 2px solid var(--accent); outline-offset: 4px; border-radius: 6px; }
article > .author { display: block; font-size: 12px; color: var(--faint); margin-bottom: 3px; }
article img { max-width: 100%; border-radius: 6px; display: block; margin: 8px 0; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
@media (max-width: 760px) { body.tree-layout { grid-template-columns: 1fr; grid-template-rows: auto 1fr; } nav { max-height: 38vh; border-right: 0; border-bottom: 1px solid var(--line); } }
@media (max-width: 40rem) { header { padding-top: 2rem; } .nested { margin-left: 0; } }
@media print {
  :root { --page: #fff; --surface: #fff; --sunken: #f6f6f5; }
  body { font-size: 10.5pt; } body.tree-layout { display: block; height: auto; } nav { display: none; } .tree-layout main { overflow: visible; } main { max-width: none; padding: 0; }
  .turn { break-inside: auto; } .user, .tool > summary { break-inside: avoid; }
  details > summary::before { display: none; } .body pre { max-height: none; }
}
`.trim();
