import { copyFileSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../steps.ts";

/** The prebuilt parsers of one platform: the name of their folder in `@ast-grep/lang-*`, and Node's name. */
const PLATFORMS = {
  "prebuild-Linux-X64": "linux-x64",
  "prebuild-Linux-ARM64": "linux-arm64",
  "prebuild-macOS-X64": "darwin-x64",
  "prebuild-macOS-ARM64": "darwin-arm64",
};
const PREFIX = "lang-";

/**
 * Copies the parsers of the ast tools to `folder`. They are not dependencies of the packages, because their packages have
 * an install script, contain their sources and have ten times the size.
 */
export function copyParsers(folder: string): void {
  const scope = join(root, "node_modules/@ast-grep");
  const names = readdirSync(scope).filter((name) => name.startsWith(PREFIX));
  mkdirSync(folder, { recursive: true });
  for (const name of names) {
    for (const [prebuilt, platform] of Object.entries(PLATFORMS)) {
      const file = join(scope, name, "prebuilds", prebuilt, "parser.so");
      if (existsSync(file)) copyFileSync(file, join(folder, `${name.slice(PREFIX.length)}-${platform}.so`));
    }
  }
  const origin = names.map((name) => `@ast-grep/${name}`).join(", ");
  writeFileSync(join(folder, "README"), `Parsers of ${origin} (ISC), built from tree-sitter grammars (MIT).\n`);
}
