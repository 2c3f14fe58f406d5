/** The style of an exported session: light or dark, as the system or the reader chooses. */
export const STYLE = `
:root { color-scheme: light dark; --back: light-dark(#fbfaf8, #16171a); --panel: light-dark(#f2f0ec, #1d1f23);
  --text: light-dark(#23211e, #e4e2de); --faint: light-dark(#6b655c, #a09a91); --line: light-dark(#dedad2, #33363c);
  --user: light-dark(#eaf1fb, #1c2838); --accent: light-dark(#1d5fbf, #7fb2ff); --bad: light-dark(#a8271f, #ff8f86);
  --code: light-dark(#f0eee9, #101114); --mark: light-dark(#ffe58a, #6b5300); }
:root[data-theme="light"] { color-scheme: light; }
:root[data-theme="dark"] { color-scheme: dark; }
* { box-sizing: border-box; }
body { margin: 0; display: grid; grid-template-columns: minmax(220px, 320px) minmax(0, 1fr); height: 100vh; background: var(--back);
  color: var(--text); font: 15px/1.55 system-ui, sans-serif; }
nav { display: flex; flex-direction: column; min-height: 0; background: var(--panel); border-right: 1px solid var(--line); }
nav form { display: grid; gap: 8px; padding: 12px; border-bottom: 1px solid var(--line); }
input, select, button { font: inherit; color: inherit; background: var(--back); border: 1px solid var(--line); border-radius: 6px;
  padding: 5px 9px; }
input { width: 100%; }
.row { display: flex; gap: 8px; }
.row select { flex: 1; min-width: 0; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
.tree { overflow: auto; flex: 1; min-height: 0; padding: 0 6px; }
ol { list-style: none; margin: 0; padding: 0; }
nav li button { display: block; width: 100%; height: 28px; border: 0; background: none; text-align: left; font-size: 13px; padding: 3px 8px;
  white-space: nowrap; overflow: hidden; text-overflow: ellipsis; color: var(--faint); }
nav li button.on { color: var(--text); }
nav li button.user { font-weight: 600; }
nav li button:hover, nav li button[aria-current] { background: var(--line); }
nav b { color: var(--accent); font-weight: 600; }
.count { color: var(--faint); font-size: 13px; }
main { overflow: auto; padding: 28px clamp(16px, 4vw, 56px) 80px; }
header, article { max-width: 860px; margin: 0 auto 18px; }
h1 { font-size: 24px; line-height: 1.25; margin: 0 0 6px; overflow-wrap: anywhere; }
header p { margin: 2px 0; color: var(--faint); font-size: 13px; overflow-wrap: anywhere; }
article { content-visibility: auto; contain-intrinsic-size: auto 140px; scroll-margin-top: 12px; }
article.user { background: var(--user); border-radius: 10px; padding: 10px 14px; }
article.aside { border-left: 3px solid var(--line); padding-left: 12px; color: var(--faint); }
article.hit { outline: 2px solid var(--accent); outline-offset: 4px; border-radius: 6px; }
.who { font-size: 12px; color: var(--faint); margin-bottom: 3px; }
.text { white-space: pre-wrap; overflow-wrap: anywhere; }
pre { background: var(--code); border: 1px solid var(--line); border-radius: 6px; padding: 9px 11px; margin: 8px 0; overflow: auto;
  max-height: 60vh; font: 13px/1.5 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
details { border: 1px solid var(--line); border-radius: 6px; margin: 6px 0; padding: 4px 10px; }
summary { cursor: pointer; font-size: 13px; color: var(--faint); overflow-wrap: anywhere; }
summary b { color: var(--text); font-family: ui-monospace, monospace; }
.bad, .bad b { color: var(--bad); }
img { max-width: 100%; border-radius: 6px; display: block; margin: 8px 0; }
mark { background: var(--mark); color: inherit; }
@media (max-width: 760px) { body { grid-template-columns: 1fr; grid-template-rows: auto 1fr; } nav { max-height: 38vh; border-right: 0;
  border-bottom: 1px solid var(--line); } }
@media print { body { display: block; height: auto; } nav { display: none; } main { overflow: visible; } }
`;
