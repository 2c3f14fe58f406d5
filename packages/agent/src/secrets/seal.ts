import type { Entry, Rule } from "./entries.ts";
import { type Find, makeFinder, SHORTEST_NEEDLE } from "./finder.ts";
import { escapeJson, unescapeJson, wholeEscapes } from "./json-text.ts";
import { makeSearch } from "./patterns.ts";
import { makePlaceholders, type Placeholders } from "./placeholders.ts";
import { mapTexts } from "./walk.ts";

const TOO_LONG = "[withheld: a pattern of secrets.yml took too long over this text]";

type Span = { start: number; end: number; rules: Rule[] };
export type Sealer = { names: Placeholders; size: number; seal(body: unknown): unknown };

/** Covers the values of the entries in a whole body. Of several entries for the same value the first counts. */
export function makeSealer(entries: readonly Entry[], salt: Buffer): Sealer {
  const plain = new Map<string, Rule>();
  for (const entry of entries) if (entry.type === "plain" && !plain.has(entry.content)) plain.set(entry.content, entry);
  const size = plain.size;
  for (const [value, rule] of [...plain])
    for (const form of formsOf(value)) if (!plain.has(form)) plain.set(form, { mode: rule.mode });
  const needles = [...plain.keys()];
  const find = makeFinder(needles);
  const hasSecret = (text: string) => find(text).length > 0;
  /** A replacement that contains a secret would leak it. */
  const withoutUnsafeReplacement = ({ mode, replacement }: Rule): Rule =>
    replacement === undefined || hasSecret(replacement) ? { mode } : { mode, replacement };
  const needleRules = [...plain.values()].map(withoutUnsafeReplacement);
  const names = makePlaceholders({ salt, needles, hasNeedle: hasSecret });
  const patterns = entries.filter((entry) => entry.type === "regex");
  const patternRules = patterns.map(withoutUnsafeReplacement);
  const search = makeSearch(patterns.map(({ pattern }) => pattern));
  const rulesOf = (finds: readonly Find[], rules: readonly Rule[]): Span[] =>
    finds.map(({ start, end, what }) => ({ start, end, rules: [rules[what] as Rule] }));

  const seal = (body: unknown): unknown => {
    const texts: string[] = [];
    mapTexts(body, (text) => {
      texts.push(text);
      return text;
    });
    names.avoid(texts);
    const searched = search(texts);
    let at = 0;
    return mapTexts(body, (text, json) => {
      const more = searched[at++];
      if (!more) return TOO_LONG;
      const spans = [...rulesOf(find(text), needleRules), ...rulesOf(more, patternRules)];
      return spans.length === 0 ? text : replace(text, spans, json, names);
    });
  };
  return { names, seal, size: size + patterns.length };
}

/** The other common encodings of a value. */
function formsOf(value: string): string[] {
  const forms = [escapeJson(value), Buffer.from(value).toString("base64").replace(/=+$/, "")];
  if (value.isWellFormed()) forms.push(encodeURIComponent(value));
  return forms.filter((form) => form !== value && form.length >= SHORTEST_NEEDLE);
}

function replace(text: string, spans: readonly Span[], json: boolean, names: Placeholders): string {
  const whole = json ? spans.map((span) => widenSpan(text, span)) : spans;
  let out = "";
  let done = 0;
  for (const { start, end, rules } of mergeSpans(whole)) {
    out += text.slice(done, start) + cover(text.slice(start, end), rules, json, names);
    done = end;
  }
  return out + text.slice(done);
}

function widenSpan(text: string, span: Span): Span {
  const [start, end] = wholeEscapes(text, span.start, span.end);
  return { ...span, start, end };
}

/** Merges overlapping spans, because the rest of a partly covered secret would leak. */
function mergeSpans(spans: readonly Span[]): Span[] {
  const out: Span[] = [];
  for (const span of spans.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = out.at(-1);
    if (last && span.start < last.end) {
      last.end = Math.max(last.end, span.end);
      last.rules.push(...span.rules);
    } else out.push({ ...span, rules: [...span.rules] });
  }
  return out;
}

function cover(piece: string, rules: readonly Rule[], json: boolean, names: Placeholders): string {
  const oneWay = rules.filter(({ mode }) => mode === "replace");
  if (oneWay.length > 0) {
    const replacement = new Set(oneWay.map((rule) => rule.replacement)).size === 1 ? oneWay[0]?.replacement : undefined;
    if (replacement === undefined) return names.dummyOf(piece);
    return json ? escapeJson(replacement) : replacement;
  }
  const text = json ? unescapeJson(piece) : piece;
  return text === undefined ? names.nameOf({ text: piece, verbatim: true }) : names.nameOf({ text, verbatim: false });
}
