import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { root } from "../steps.ts";
import { NODE_RANGE, outerDependencies } from "./dependencies.ts";
import { copyParsers } from "./parsers.ts";
import { importedPackages, type Layout, rewriteSpecifiers } from "./specifiers.ts";
import { containedPackages, type Workspace, type WorkspacePackage } from "./workspace.ts";

type Assembly = {
  workspace: Workspace;
  library: WorkspacePackage;
  /** Where `compilePackages` wrote. */
  compiled: string;
  /** The folder to write. */
  folder: string;
  version: string;
};

/**
 * Writes the package of a library: its compiled files in `dist/`, those of the packages that are not published in
 * `dist/private/<package>/`, and a manifest without workspace dependencies.
 */
export function assembleLibrary({ workspace, library, compiled, folder, version }: Assembly): void {
  const contained = containedPackages(workspace, library);
  const places = new Map(contained.map((each) => [each, each === library ? "dist" : `dist/private/${each.folder}`]));
  const files = contained.flatMap((each) => packageFiles(each, compiled, places.get(each) ?? ""));
  const layout = layoutOf(contained, places, new Set(files.map(({ to }) => to)));
  for (const { from, to } of files) {
    mkdirSync(dirname(join(folder, to)), { recursive: true });
    if (!/\.(js|d\.ts|map)$/.test(to)) copyFileSync(from, join(folder, to));
    else writeFileSync(join(folder, to), convert(readFileSync(from, "utf8"), to, layout));
  }
  for (const [{ folder: name }, place] of places)
    if (name === "agent") copyParsers(join(folder, place, "tools/ast/parsers"));
  const entries = Object.entries(library.manifest.exports ?? {}).map(
    ([name, source]) => [name, compiledPath(source, "./dist")] as const,
  );
  const usesNode = files.some(({ from }) => from.endsWith(".d.ts") && NODE_TYPES.test(readFileSync(from, "utf8")));
  if (usesNode) for (const [, file] of entries) referNodeTypes(join(folder, declarationOf(file)));
  const dependencies = { ...outerDependencies(workspace, contained, version), ...typePackages(contained, files) };
  // A range: with a second copy of the types, a program that has another version of them would not compile.
  if (usesNode) dependencies["@types/node"] = NODE_RANGE;
  const exports = entries.map(([name, file]) => [name, { types: declarationOf(file), default: file }]);
  writeManifest(folder, library, { version, exports: Object.fromEntries(exports), files: ["dist"], dependencies });
}

/** Packages that only the declarations need, which are development dependencies here. */
function typePackages(contained: readonly WorkspacePackage[], files: readonly PackedFile[]): Record<string, string> {
  const declarations = files.filter(({ from }) => from.endsWith(".d.ts"));
  const imported = new Set(declarations.flatMap(({ from }) => importedPackages(readFileSync(from, "utf8"))));
  const development = contained.flatMap(({ manifest }) => Object.entries(manifest.devDependencies ?? {}));
  return Object.fromEntries(development.filter(([name]) => imported.has(name)));
}

type Contents = { version: string; dependencies: Record<string, string> } & Record<string, unknown>;

/** Writes package.json, the licence and the README of a package. Also used for the command. */
export function writeManifest(folder: string, { path, manifest }: WorkspacePackage, contents: Contents): void {
  const { name, description, license, sideEffects, publishConfig } = manifest;
  const text = {
    ...{ name, description, license, type: "module", sideEffects, engines: { node: NODE_RANGE } },
    ...contents,
    ...(publishConfig && { publishConfig }),
  };
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(text, null, 2)}\n`);
  copyFileSync(join(root, "LICENSE"), join(folder, "LICENSE"));
  copyFileSync(join(path, "README.md"), join(folder, "README.md"));
}

const NODE_TYPES = /\bfrom "node:|import\("node:|\bNodeJS\.|\bBuffer\b/;

type PackedFile = { from: string; to: string };

/** The compiled files of a package, and the files that its code reads next to itself. */
function packageFiles({ folder, path }: WorkspacePackage, compiled: string, place: string): PackedFile[] {
  const output = join(compiled, folder, "src");
  if (!existsSync(output)) return [];
  const emitted = readdirSync(output, { recursive: true, encoding: "utf8" }).filter((file) => /\.\w+$/.test(file));
  const data = readdirSync(join(path, "src"), { recursive: true, encoding: "utf8" }).filter(
    (file) => /\.(json|mjs|py|html)$/.test(file) && !/(^|\/)(fixtures|testing)\//.test(file),
  );
  return [
    ...emitted.map((file) => ({ from: join(output, file), to: `${place}/${file}` })),
    ...data.map((file) => ({ from: join(path, "src", file), to: `${place}/${file}` })),
  ];
}

function layoutOf(
  contained: readonly WorkspacePackage[],
  places: ReadonlyMap<WorkspacePackage, string>,
  files: ReadonlySet<string>,
): Layout {
  const named = new Map(
    contained.flatMap((each) =>
      Object.entries(each.manifest.exports ?? {}).map(
        ([name, source]) =>
          [`${each.manifest.name}${name.slice(1)}`, compiledPath(source, places.get(each) ?? "")] as const,
      ),
    ),
  );
  return { has: (path) => files.has(path), fileOf: (specifier) => named.get(specifier) };
}

/** `./src/a/b.ts` in `place` after the compilation. */
function compiledPath(source: string, place: string): string {
  return source.replace(/^\.\/src/, place).replace(/\.ts$/, ".js");
}

function declarationOf(file: string): string {
  return file.replace(/\.js$/, ".d.ts");
}

function convert(text: string, to: string, layout: Layout): string {
  if (!to.endsWith(".map")) return rewriteSpecifiers(text, to, layout);
  // The map contains the source, whose path in this repository means nothing to a reader.
  const map = JSON.parse(text) as { sources: string[] };
  return JSON.stringify({ ...map, sources: map.sources.map((source) => basename(source)) });
}

/** Since TypeScript 6, a program does not include the types of Node unless it asks for them. */
function referNodeTypes(file: string): void {
  writeFileSync(file, `/// <reference types="node" />\n${readFileSync(file, "utf8")}`);
}
