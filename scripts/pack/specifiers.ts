import { posix } from "node:path";

/** The files of a tarball, and which of them a package name stands for. */
export type Layout = {
  /** Whether the tarball has this file. Paths are relative to its root. */
  has(path: string): boolean;
  /** The JavaScript file of an export of a package that the tarball contains: `@gantry/models/oauth`. */
  fileOf(specifier: string): string | undefined;
};

/** `from "x"`, `import "x"`, `import("x")`. `require` of a source file does not occur. */
const SPECIFIER = /(\b(?:from|import)\s*\(?\s*)(["'])([^"'\n]+)\2/g;

/**
 * Rewrites the specifiers of a compiled file at `path`: names of contained packages become relative paths, and `.ts` becomes
 * `.js`, which the compiler leaves in declarations. Text that only looks like an import is unchanged, because its target
 * does not exist.
 */
export function rewriteSpecifiers(text: string, path: string, layout: Layout): string {
  return text.replace(SPECIFIER, (whole, before: string, quote: string, specifier: string) => {
    const target = targetOf(specifier, path, layout);
    return target === undefined ? whole : `${before}${quote}${relativeTo(path, target)}${quote}`;
  });
}

/** The packages that a compiled file imports, without Node's modules. */
export function importedPackages(text: string): string[] {
  const names = [...text.matchAll(SPECIFIER)].map(([, , , specifier = ""]) => specifier);
  return names
    .filter((name) => /^(@[\w-]+\/)?[a-z][\w.-]*(\/|$)/.test(name))
    .map((name) =>
      name
        .split("/")
        .slice(0, name.startsWith("@") ? 2 : 1)
        .join("/"),
    );
}

function targetOf(specifier: string, path: string, layout: Layout): string | undefined {
  if (!/^\.\.?\//.test(specifier)) return layout.fileOf(specifier);
  if (!specifier.endsWith(".ts")) return undefined;
  const target = posix.join(posix.dirname(path), specifier.replace(/\.ts$/, ".js"));
  return layout.has(target) ? target : undefined;
}

function relativeTo(path: string, target: string): string {
  const relative = posix.relative(posix.dirname(path), target);
  return relative.startsWith(".") ? relative : `./${relative}`;
}
