import { extname } from "node:path";

/** A language and the endings of its files. */
type Language = {
  name: string;
  endings: readonly string[];
  /** The symbol of a parser that is a separate shared library. */
  symbol?: string;
  /** Stands for `$` where the language does not allow it in a name. */
  expando?: string;
  /** Text before and after a pattern that cannot be a whole file of the language. The first that fits is used. */
  contexts?: readonly (readonly [before: string, after: string])[];
};

const IN_FUNCTION = [["void f() { ", "; }"]] as const;
const IN_PHP = [
  ["<?php ", ";"],
  ["<?php ", ""],
  ["<?php class A { ", " }"],
] as const;

/** By the names of the parsers: those of the library, and those of the packages `@ast-grep/lang-*`. */
export const LANGUAGES: Readonly<Record<string, Language>> = {
  TypeScript: { name: "TypeScript", endings: ["ts", "mts", "cts"] },
  Tsx: { name: "TSX", endings: ["tsx"] },
  JavaScript: { name: "JavaScript", endings: ["js", "mjs", "cjs", "jsx"] },
  Html: { name: "HTML", endings: ["html", "htm"] },
  Css: { name: "CSS", endings: ["css"], expando: "_", contexts: [["a { ", " }"]] },
  python: { name: "Python", endings: ["py", "pyi"], symbol: "tree_sitter_python", expando: "µ" },
  rust: { name: "Rust", endings: ["rs"], symbol: "tree_sitter_rust", expando: "µ" },
  go: { name: "Go", endings: ["go"], symbol: "tree_sitter_go", expando: "µ" },
  java: { name: "Java", endings: ["java"], symbol: "tree_sitter_java" },
  c: { name: "C", endings: ["c", "h"], symbol: "tree_sitter_c", expando: "_", contexts: IN_FUNCTION },
  cpp: {
    name: "C++",
    endings: ["cc", "cpp", "cxx", "hpp", "hh", "hxx", "cu", "ino"],
    symbol: "tree_sitter_cpp",
    expando: "_",
    contexts: IN_FUNCTION,
  },
  csharp: {
    name: "C#",
    endings: ["cs"],
    symbol: "tree_sitter_c_sharp",
    expando: "µ",
    contexts: [["class A { ", " }"]],
  },
  ruby: { name: "Ruby", endings: ["rb", "rbw", "gemspec", "rake"], symbol: "tree_sitter_ruby", expando: "µ" },
  php: { name: "PHP", endings: ["php"], symbol: "tree_sitter_php", contexts: IN_PHP },
  kotlin: { name: "Kotlin", endings: ["kt", "ktm", "kts"], symbol: "tree_sitter_kotlin", expando: "µ" },
  swift: { name: "Swift", endings: ["swift"], symbol: "tree_sitter_swift", expando: "µ" },
};

const BY_ENDING = new Map(
  Object.entries(LANGUAGES).flatMap(([id, { endings }]) => endings.map((ending) => [ending, id] as const)),
);

export const KNOWN_LANGUAGES = Object.values(LANGUAGES)
  .map(({ name }) => (name === "JavaScript" ? "JavaScript, JSX" : name))
  .join(", ")
  .replace(/, ([^,]*)$/, " and $1");

export function languageOf(path: string): string | undefined {
  return BY_ENDING.get(extname(path).slice(1).toLowerCase());
}

export const LANGUAGE_GLOB = `*.{${[...BY_ENDING.keys()].join(",")}}`;
