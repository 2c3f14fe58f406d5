import type { ITheme } from "@xterm/xterm";

/** The terminal colors as CSS values; `light-dark` follows the page's theme. */
const colors = {
  background: "var(--color-sunken)",
  foreground: "var(--color-ink)",
  cursor: "var(--color-ink)",
  cursorAccent: "var(--color-sunken)",
  selectionBackground: "light-dark(#cddafb, #33487f)",
  selectionInactiveBackground: "var(--color-line-strong)",
  scrollbarSliderBackground: "var(--color-line-strong)",
  scrollbarSliderHoverBackground: "var(--color-faint)",
  scrollbarSliderActiveBackground: "var(--color-faint)",
  black: "light-dark(#1d1c1a, #403e3b)",
  red: "light-dark(#b3261e, #f28b82)",
  green: "light-dark(#1b6e3c, #67c48b)",
  yellow: "light-dark(#8d5600, #eab04e)",
  blue: "light-dark(#2b56c6, #8eabff)",
  magenta: "light-dark(#92337a, #d986c4)",
  cyan: "light-dark(#1a6d7d, #6cc3d5)",
  white: "light-dark(#6b6861, #d5d2cb)",
  brightBlack: "light-dark(#6b6861, #928e86)",
  brightRed: "light-dark(#c5423a, #f7aba4)",
  brightGreen: "light-dark(#1f7a5a, #8ddaa9)",
  brightYellow: "light-dark(#a36300, #f2c87d)",
  brightBlue: "light-dark(#3f66d6, #b0c4ff)",
  brightMagenta: "light-dark(#a53f8b, #e5a8d5)",
  brightCyan: "light-dark(#2a7f91, #98d8e5)",
  brightWhite: "light-dark(#1d1c1a, #ffffff)",
} satisfies ITheme;

/** Resolves the colors of the current theme for a terminal in `host`. */
export function currentTheme(host: HTMLElement): ITheme {
  const probe = document.createElement("span");
  host.append(probe);
  const resolved = Object.entries(colors).map(([name, color]) => {
    probe.style.color = color;
    return [name, getComputedStyle(probe).color];
  });
  probe.remove();
  return Object.fromEntries(resolved);
}
