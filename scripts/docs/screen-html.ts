const BASIC = ["#1d1f21", "#e06c75", "#98c379", "#e5c07b", "#61afef", "#c678dd", "#56b6c2", "#d7dae0"];
const STEPS = [0, 95, 135, 175, 215, 255];

type Style = { bold: boolean; dim: boolean; italic: boolean; inverse: boolean; fore?: string; back?: string };

const NORMAL: Style = { bold: false, dim: false, italic: false, inverse: false };

/** A page with a captured screen: text with SGR sequences, as `tmux capture-pane -e` prints it. */
export function screenHtml(captured: string): string {
  let style = NORMAL;
  const html = captured
    .replace(/\n$/, "")
    .split(/(\x1b\[[0-9;]*m)/)
    .map((part) => {
      const codes = /^\x1b\[([0-9;]*)m$/.exec(part)?.[1];
      if (codes === undefined) return part === "" ? "" : `<span style="${css(style)}">${escapeText(part)}</span>`;
      style = applyCodes(style, codes.split(";").map(Number));
      return "";
    });
  const font = "font: 14px/18px 'DejaVu Sans Mono', monospace; padding: 12px; margin: 0; width: max-content";
  return `<body style="margin:0"><pre style="${font}; background: #1d1f21; color: #d7dae0">${html.join("")}</pre>`;
}

function applyCodes(before: Style, codes: readonly number[]): Style {
  let style = before;
  for (let index = 0; index < codes.length; index++) {
    const code = codes[index] ?? 0;
    if (code === 38 || code === 48) {
      const colour = paletteColour(codes[index + 2] ?? 0);
      style = { ...style, ...(code === 38 ? { fore: colour } : { back: colour }) };
      index += 2;
    } else style = applyCode(style, code);
  }
  return style;
}

function applyCode(style: Style, code: number): Style {
  if (code === 0) return NORMAL;
  if (code === 1) return { ...style, bold: true };
  if (code === 2) return { ...style, dim: true };
  if (code === 3) return { ...style, italic: true };
  if (code === 7) return { ...style, inverse: true };
  if (code === 22) return { ...style, bold: false, dim: false };
  if (code === 23) return { ...style, italic: false };
  if (code === 27) return { ...style, inverse: false };
  if (code === 39) return { ...style, fore: undefined };
  if (code === 49) return { ...style, back: undefined };
  if (code >= 30 && code <= 37) return { ...style, fore: BASIC[code - 30] };
  if (code >= 40 && code <= 47) return { ...style, back: BASIC[code - 40] };
  return style;
}

/** The 256 colours: basic ones, a cube, and shades of grey. */
function paletteColour(index: number): string {
  if (index < 16) return BASIC[index % 8] ?? "#d7dae0";
  if (index >= 232)
    return `rgb(${Array(3)
      .fill(8 + (index - 232) * 10)
      .join(",")})`;
  const cell = index - 16;
  return `rgb(${[Math.floor(cell / 36), Math.floor(cell / 6) % 6, cell % 6].map((step) => STEPS[step]).join(",")})`;
}

function css({ bold, dim, italic, inverse, fore = "#d7dae0", back = "transparent" }: Style): string {
  const [front, ground] = inverse ? ["#1d1f21", fore] : [fore, back];
  return `color:${front};background:${ground};${bold ? "font-weight:bold;" : ""}${dim ? "opacity:.62;" : ""}${italic ? "font-style:italic" : ""}`;
}

function escapeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
