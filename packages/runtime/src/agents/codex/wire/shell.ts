const WRAPPER = /^(?:\S*\/)?(?:ba|z|da|k)?sh\s+-l?c\s+(.+)$/s;

/** `/bin/bash -lc 'make test'` → `make test`: the command as the model wrote it. Others are returned unchanged. */
export function unwrapShell(command: string): string {
  const script = WRAPPER.exec(command.trim())?.[1];
  return (script && unquote(script)) ?? command;
}

/** The single argument that a POSIX shell would parse; `undefined` for several, or an open quote. */
function unquote(source: string): string | undefined {
  let word = "";
  let quote = "";
  for (let i = 0; i < source.length; i++) {
    const char = source[i] as string;
    if (char === quote) quote = "";
    else if (quote === "'") word += char;
    else if (char === "\\") word += unescapeChar(source[++i], quote);
    else if (quote) word += char;
    else if (char === "'" || char === '"') quote = char;
    else if (/\s/.test(char)) return undefined;
    else word += char;
  }
  return quote ? undefined : word;
}

function unescapeChar(char: string | undefined, quote: string): string {
  if (char === undefined) return "\\";
  return quote === "" || '"\\$`'.includes(char) ? char : `\\${char}`;
}
