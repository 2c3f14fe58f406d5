const UNARY = /^-[abcdefghknoprstuwxzGLNOS]$/;
const BINARY = /^(=|==|!=|-eq|-ne|-lt|-le|-gt|-ge|-nt|-ot|-ef)$/;
const UNKNOWN = /[$\u0001]/;

/**
 * Whether the arguments of `test` only compare. `-v` and `-R` evaluate a subscript, which may run a command, so a word that
 * is not known must not stand where an operator may stand.
 */
export function isHarmlessTest(texts: readonly string[]): boolean {
  const tokens = texts[0] === "!" ? texts.slice(1) : texts;
  if (tokens.length <= 1) return true;
  const [first = "", second = "", third] = tokens;
  if (tokens.length === 2) return UNARY.test(first);
  if (tokens.length === 3 && third !== undefined) return BINARY.test(second);
  return tokens.every((word) => !UNKNOWN.test(word) && !/^(-v|-R|[()])$/.test(word));
}

/** The same for `[[`, in which comparisons of numbers evaluate their operands. */
export function isHarmlessCondition(texts: readonly string[]): boolean {
  const tokens = texts.at(-1) === "]]" ? texts.slice(0, -1) : texts;
  const plain = tokens[0] === "!" ? tokens.slice(1) : tokens;
  if (plain.length <= 1) return true;
  const [first = "", second = "", third = ""] = plain;
  if (plain.length === 2) return UNARY.test(first);
  if (plain.length !== 3) return false;
  if (/^-(eq|ne|lt|le|gt|ge)$/.test(second))
    return [first, third].every((word) => /^(-?\d+|\$[?#]|\$\{#\w+\})$/.test(word));
  return BINARY.test(second) || second === "=~";
}
