/** Flags of every command. They are taken off before the command's own are read, so they may stand anywhere. */
export const globalFlags = [
  { name: "--json", brief: "JSON for programs: one value, or one event, a line" },
  { name: "--no-color", brief: "No colour (NO_COLOR does the same)" },
  { name: "--help", brief: "Show help" },
] as const;

export type Globals = { json: boolean; noColor: boolean; rest: string[] };

/** Everything after `--` is left alone. */
export function takeGlobals(argv: readonly string[]): Globals {
  const end = argv.indexOf("--");
  const before = end < 0 ? argv : argv.slice(0, end);
  const rest = before.filter((word) => word !== "--json" && word !== "--no-color");
  return {
    json: before.includes("--json"),
    noColor: before.includes("--no-color"),
    rest: end < 0 ? rest : [...rest, ...argv.slice(end)],
  };
}
