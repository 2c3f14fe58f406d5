/** The part of a flag definition that is needed to skip it: booleans take no value. */
type Flags = Readonly<Record<string, { kind: string }>>;

/**
 * RPC clients pass flags of the agents that they were written for. For `agent --mode rpc`, removes unknown flags with their
 * values and returns them in `left`. Other command lines are unchanged.
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
    const taken = takesNext ? [word, next] : [word];
    if (foreign) left.push(taken.join(" "));
    else rest.push(...taken);
    if (takesNext) at += 1;
  }
  return { rest, left };
}

function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
