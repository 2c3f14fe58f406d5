/** Aliases of languages: names used in Markdown fences, and file extensions. */
const aliases: Readonly<Record<string, string>> = {
  "c#": "csharp",
  "c++": "cpp",
  cc: "cpp",
  cjs: "javascript",
  clj: "clojure",
  console: "bash",
  cs: "csharp",
  cts: "typescript",
  dockerfile: "docker",
  ex: "elixir",
  exs: "elixir",
  fish: "bash",
  golang: "go",
  gql: "graphql",
  h: "c",
  hpp: "cpp",
  hs: "haskell",
  htm: "html",
  js: "javascript",
  json5: "jsonc",
  jsonl: "json",
  kt: "kotlin",
  make: "makefile",
  md: "markdown",
  mdx: "markdown",
  mjs: "javascript",
  mts: "typescript",
  patch: "diff",
  pl: "perl",
  ps1: "powershell",
  py: "python",
  rb: "ruby",
  rs: "rust",
  sh: "bash",
  shell: "bash",
  shellsession: "bash",
  svg: "xml",
  ts: "typescript",
  yml: "yaml",
  zsh: "bash",
};

/** The language for a name or alias. */
export function resolveLanguage(name: string): string {
  const lower = name.toLowerCase();
  return aliases[lower] ?? lower;
}

/** The language of a file by its extension. */
export function languageOfPath(path: string): string {
  const name = path.split("/").at(-1)?.toLowerCase() ?? "";
  return resolveLanguage(name.includes(".") ? (name.split(".").at(-1) ?? "") : name);
}
