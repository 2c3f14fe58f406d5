import { Lang, parse, type SgNode } from "@ast-grep/napi";
import type { Finding } from "./find.ts";

/** Properties of components whose text a person reads. */
const SHOWN = new Set([
  "label",
  "title",
  "name",
  "about",
  "placeholder",
  "empty",
  "does",
  "hint",
  "text",
  "remedy",
  "aria-label",
]);

/** Names that are written with capitals. */
const NAMES = /^(Agent Client Protocol|Model Context Protocol|Home Screen)$/;

const RULES: readonly { regex: RegExp; instead: string }[] = [
  { regex: /`/, instead: "the text without backticks, or a code element" },
  {
    regex: /\b(?:ses|trn|itm|inp|msg|lan|gra|prc|lau|sch|lim|cmt|psb)_\w*/,
    instead: "the name of the thing, not its id",
  },
  { regex: /\b[a-z]+\.[a-z]+(?:Seconds|Days|Mb|Usd|Chars|Limit)\b/, instead: "a label, not the key of a setting" },
  { regex: /^[A-Z][a-z]+(?: (?!Gantry\b)[A-Z][a-z]+)+$/, instead: "sentence case" },
];

/** Text of the page that breaks a rule of the style guide. `source` is a component with JSX. */
export function findInterfaceText(source: string): Finding[] {
  const root = parse(Lang.Tsx, source).root();
  const texts = [
    ...root.findAll({ rule: { kind: "jsx_text" } }),
    ...root.findAll({ rule: { kind: "string_fragment" } }),
  ];
  return texts.flatMap((node) => {
    const text = node.text().trim();
    if (text === "" || !isShown(node)) return [];
    const line = node.range().start.line + 1;
    const broken = RULES.filter(({ regex }) => regex.test(text) && !NAMES.test(text));
    return broken.map(({ instead }) => ({ line, phrase: text.replace(/\s+/g, " ").slice(0, 60), instead }));
  });
}

/** JSX text is shown; a string is if it is the value of a property or an attribute that a person reads. */
function isShown(node: SgNode): boolean {
  if (node.kind() === "jsx_text") return true;
  const holder = node.parent()?.parent();
  const kind = holder?.kind();
  if (kind !== "jsx_attribute" && kind !== "pair") return false;
  return SHOWN.has(holder?.child(0)?.text() ?? "");
}
