/** Flags of every command. They are removed before parsing, so they may be anywhere before `--`. */
export const globalFlags = [
  { name: "--json", brief: "JSON output: one value or one event per line" },
  { name: "--no-color", brief: "No colour (NO_COLOR does the same)" },
  { name: "--help", brief: "Show help" },
] as const;

export type Globals = { json: boolean; noColor: boolean; rest: string[] };

/** Everything after `--` is left alone. A lone `-v` is the version, as in most tools. */
export function takeGlobals(argv: readonly string[]): Globals {
  const end = argv.indexOf("--");
  const before = end < 0 ? argv : argv.slice(0, end);
  const rest = before.filter((word) => word !== "--json" && word !== "--no-color");
  if (rest.length === 1 && rest[0] === "-v") rest[0] = "--version";
  return {
    json: before.includes("--json"),
    noColor: before.includes("--no-color"),
    rest: end < 0 ? rest : [...rest, ...argv.slice(end)],
  };
}
