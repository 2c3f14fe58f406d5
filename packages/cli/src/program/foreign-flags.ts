/** A flag as far as reading past it needs: does a value follow? */
type Flags = Readonly<Record<string, { kind: string }>>;

/**
 * Clients of the RPC protocol bring flags of the agents that they were written for. Takes off those that are not ours,
 * each with the value that follows it; `left` is what to say about it. Of no other command line anything is taken.
 */
export function takeForeignFlags(argv: readonly string[], flags: Flags): { rest: string[]; left: string[] } {
  const mode = argv.indexOf("--mode");
  if (argv[0] !== "agent" || !(argv[mode + 1] === "rpc" || argv.includes("--mode=rpc"))) {
    return { rest: [...argv], left: [] };
  }
  const known = new Map(Object.entries(flags).map(([name, flag]) => [`--${kebab(name)}`, flag.kind !== "boolean"]));
  known.set("--help", false);
  const rest: string[] = [];
  const left: string[] = [];
  for (let at = 0; at < argv.length; at += 1) {
    const word = argv[at] ?? "";
    const name = word.replace(/=.*$/s, "");
    const next = argv[at + 1];
    const foreign = word.startsWith("--") && !known.has(name);
    const takesNext = name === word && next !== undefined && (foreign ? !next.startsWith("-") : known.get(name));
    const words = takesNext ? [word, next] : [word];
    if (foreign) left.push(words.join(" "));
    else rest.push(...words);
    if (takesNext) at += 1;
  }
  return { rest, left };
}

function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
