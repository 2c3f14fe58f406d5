import { literalWord, type Word } from "../shell-lexer.ts";

/** What a word may be at run time: one of these texts, or paths below these folders. */
export type Values = {
  texts: readonly string[];
  under: readonly string[];
  /** The paths begin with the folders' names, so none begins with a dash. */
  closed?: boolean;
  /** The texts are patterns that the shell has already matched. */
  glob?: boolean;
};

/** One argument of a call, after the expansions that can be foreseen. */
export type Arg = {
  /** The text; only its beginning counts where `candidates` is empty. */
  text: string;
  /** All texts that it may be. Empty if they are not known. */
  candidates: readonly string[];
  /** It is a path below one of these folders. */
  under: readonly string[];
  /** It may become an option. */
  open: boolean;
  /** It may become several tokens, or none. */
  many: boolean;
  glob: boolean;
};

const MOST_BRACES = 64;

/** The arguments that these tokens become. `valuesOf` returns undefined for a word whose value is not known. */
export function toArgs(tokens: readonly Word[], valuesOf: (word: Word) => Values | undefined): Arg[] {
  return tokens.flatMap((word) => (word.braces ? bracedArgs(word, valuesOf) : wordArgs(word, valuesOf(word))));
}

function bracedArgs(word: Word, valuesOf: (word: Word) => Values | undefined): Arg[] {
  const texts = word.dynamic || word.quoted ? undefined : expandBraces(word.text);
  if (texts)
    return texts.flatMap((text) => {
      const single = { ...literalWord(text), glob: word.glob };
      return wordArgs(single, valuesOf(single));
    });
  return [{ text: word.text, candidates: [], under: [], open: true, many: true, glob: false }];
}

/** `a{b,c}` as `ab` and `ac`, `{1..3}` as `1`, `2` and `3`. Returns undefined for nested braces and too many results. */
export function expandBraces(text: string): string[] | undefined {
  const [whole, before = "", inner = "", after = ""] = /^([^{}]*)\{([^{}]*)\}(.*)$/s.exec(text) ?? [];
  const parts = inner.includes(",") ? inner.split(",") : countUp(inner);
  if (whole === undefined || !parts) return text.includes("{") ? undefined : [text];
  const rest = after.includes("{") ? expandBraces(after) : [after];
  if (!rest) return undefined;
  const all = parts.flatMap((part) => rest.map((end) => before + part + end));
  return all.length > MOST_BRACES ? undefined : all;
}

function countUp(range: string): string[] | undefined {
  const [, from = "0", to = "0"] = /^(\d{1,6})\.\.(\d{1,6})$/.exec(range) ?? [];
  const length = Number(to) - Number(from) + 1;
  if (!/^\d+\.\.\d+$/.test(range) || /^0\d/.test(from) || length < 1 || length > MOST_BRACES) return undefined;
  return Array.from({ length }, (_, at) => String(Number(from) + at));
}

function wordArgs(word: Word, values: Values | undefined): Arg[] {
  const { text, splits } = word;
  const glob = word.glob || (values?.glob ?? false);
  if (!values) {
    const open = splits || !/^[^$\u0001]/.test(text) || (glob && /^[*?[]/.test(text));
    return [{ text, candidates: [], under: [], open, many: splits || glob, glob }];
  }
  if (values.under.length > 0)
    return [
      {
        text,
        candidates: values.texts,
        under: values.under,
        open: splits || !values.closed,
        many: splits,
        glob: false,
      },
    ];
  const isSplit = (value: string) => splits && (/[\s*?[]/.test(value) || value === "");
  const [only] = values.texts;
  if (only !== undefined && values.texts.length === 1) {
    if (!isSplit(only)) return [staticArg(only, glob)];
    return only.split(/\s+/).flatMap((piece) => (piece === "" ? [] : [staticArg(piece, /[*?[]/.test(piece))]));
  }
  const many = glob || values.texts.some(isSplit);
  const open = many || values.texts.some((value) => value.startsWith("-"));
  const candidates = values.texts.flatMap((value) => (splits ? value.split(/\s+/) : [value]));
  return [{ text: only ?? "", candidates, under: [], open, many, glob: many }];
}

function staticArg(text: string, glob: boolean): Arg {
  // A pattern that begins with a wildcard may match a file whose name begins with a dash.
  return { text, candidates: [text], under: [], open: glob && /^[*?[]/.test(text), many: glob, glob };
}
