/** Wraps a text in a style, or returns it unchanged if colour is off. */
type Style = (text: string) => string;

/** The styles for terminals. They use only the sixteen basic colours, which the user's theme defines. */
export type Paint = Record<keyof typeof codes, Style> & { readonly enabled: boolean };

const codes = {
  bold: [1, 22],
  dim: [2, 22],
  italic: [3, 23],
  underline: [4, 24],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  blue: [34, 39],
  magenta: [35, 39],
  cyan: [36, 39],
} as const;

export function makePaint(enabled: boolean): Paint {
  const entries = Object.entries(codes).map(([name, [open, close]]) => {
    const style: Style = (text) => (enabled && text !== "" ? `\x1b[${open}m${text}\x1b[${close}m` : text);
    return [name, style] as const;
  });
  return { ...(Object.fromEntries(entries) as Record<keyof typeof codes, Style>), enabled };
}

type ColourRequest = { isTTY?: boolean; env: Record<string, string | undefined>; noColor: boolean };

/** Whether to colour a stream. `--no-color` and NO_COLOR win over FORCE_COLOR, and FORCE_COLOR over the terminal check. */
export function wantsColour({ isTTY, env, noColor }: ColourRequest): boolean {
  if (noColor || env.NO_COLOR) return false;
  if (env.FORCE_COLOR) return env.FORCE_COLOR !== "0";
  return isTTY === true && env.TERM !== "dumb";
}
