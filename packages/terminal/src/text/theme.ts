import { makePaint, type Paint } from "./paint.ts";

type Style = (text: string) => string;

/** Bits of colour: none, the sixteen basic colours, 256 colours, or RGB. */
export type ColourDepth = 0 | 4 | 8 | 24;

export type Scheme = "dark" | "light";

/** The parts of highlighted code. */
export type SyntaxPart = "keyword" | "string" | "number" | "comment" | "name" | "type" | "tag";

/** The basic styles, and those that need a background or depend on the brightness of the terminal. */
export type Theme = Paint & {
  readonly depth: ColourDepth;
  readonly scheme: Scheme;
  /** A line of a diff, over its whole width, and the changed parts of it. */
  readonly addedLine: Style;
  readonly removedLine: Style;
  readonly addedWord: Style;
  readonly removedWord: Style;
  /** The selected row of a list. */
  readonly selected: Style;
  /** A bar across the screen. */
  readonly bar: Style;
  readonly syntax: Readonly<Record<SyntaxPart, Style>>;
};

type Backgrounds = Record<"addedLine" | "removedLine" | "addedWord" | "removedWord" | "selected" | "bar", number>;

/** Indexes into the 256 colours. */
const BACKGROUNDS: Record<Scheme, Backgrounds> = {
  dark: { addedLine: 22, removedLine: 52, addedWord: 28, removedWord: 88, selected: 237, bar: 235 },
  light: { addedLine: 194, removedLine: 224, addedWord: 157, removedWord: 217, selected: 254, bar: 255 },
};

const SYNTAX: Record<Scheme, Record<SyntaxPart, number>> = {
  dark: { keyword: 176, string: 150, number: 215, comment: 245, name: 111, type: 80, tag: 210 },
  light: { keyword: 90, string: 28, number: 130, comment: 244, name: 25, type: 30, tag: 124 },
};

const themes = new Map<string, Theme>();

/** Pure and cached: the same arguments return the same theme. */
export function makeTheme({ depth, scheme }: { depth: ColourDepth; scheme: Scheme }): Theme {
  const key = `${depth}-${scheme}`;
  const known = themes.get(key);
  if (known) return known;
  const theme = { ...makePaint(depth > 0), depth, scheme, ...(depth > 4 ? richStyles(scheme) : basicStyles(depth)) };
  themes.set(key, theme);
  return theme;
}

/** The theme of a paint: itself, or one with the basic colours. */
export function themeOf(paint: Paint): Theme {
  return "syntax" in paint ? (paint as Theme) : makeTheme({ depth: paint.enabled ? 4 : 0, scheme: "dark" });
}

type Environment = Record<string, string | undefined>;

/** The depth and the scheme that the environment announces. `GANTRY_THEME` (dark, light, 16, none) wins. */
export function detectTheme(env: Environment, wantsColour: boolean): { depth: ColourDepth; scheme: Scheme } {
  const wanted = env.GANTRY_THEME;
  const scheme = wanted === "light" || wanted === "dark" ? wanted : schemeOf(env.COLORFGBG);
  if (!wantsColour || wanted === "none") return { depth: 0, scheme };
  return { depth: wanted === "16" ? 4 : depthOf(env), scheme };
}

function depthOf({ COLORTERM = "", TERM = "" }: Environment): ColourDepth {
  if (/truecolor|24bit/.test(COLORTERM)) return 24;
  return /256|kitty|ghostty|alacritty|wezterm|direct/.test(TERM) ? 8 : 4;
}

/** `COLORFGBG` ends with the index of the background; 7 and 9 to 15 are bright. */
function schemeOf(colours: string | undefined): Scheme {
  const background = Number(colours?.split(";").at(-1));
  return background === 7 || (background > 8 && background < 16) ? "light" : "dark";
}

function richStyles(scheme: Scheme) {
  const backgrounds = Object.entries(BACKGROUNDS[scheme]).map(([name, index]) => [name, background(index)]);
  const syntax = Object.entries(SYNTAX[scheme]).map(([name, index]) => [name, wrap(`38;5;${index}`, "39")]);
  return {
    ...(Object.fromEntries(backgrounds) as Record<keyof Backgrounds, Style>),
    syntax: Object.fromEntries(syntax) as Record<SyntaxPart, Style>,
  };
}

/** Sixteen colours have no quiet background: inverse marks changes and selections. */
function basicStyles(depth: ColourDepth) {
  const plain: Style = (text) => text;
  const inverse = depth > 0 ? wrap("7", "27") : plain;
  const paint = makePaint(depth > 0);
  return {
    addedLine: paint.green,
    removedLine: paint.red,
    addedWord: inverse,
    removedWord: inverse,
    selected: inverse,
    bar: inverse,
    syntax: {
      keyword: paint.magenta,
      string: paint.green,
      number: paint.yellow,
      comment: paint.dim,
      name: paint.blue,
      type: paint.cyan,
      tag: paint.red,
    },
  };
}

function background(index: number): Style {
  return wrap(`48;5;${index}`, "49");
}

/** A style inside of `text` that ends with the same code is followed by this one again. */
function wrap(open: string, close: string): Style {
  const start = `\x1b[${open}m`;
  const end = `\x1b[${close}m`;
  return (text) => (text === "" ? "" : start + text.replaceAll(end, end + start) + end);
}
