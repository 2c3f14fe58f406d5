import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root, step } from "../steps.ts";
import type { WorkspacePackage } from "./workspace.ts";

/**
 * Compiles everything that the exports of these packages reach to `<out>/<package folder>/src/`: JavaScript, declarations and
 * source maps that contain the sources. Tests and unreachable files are absent. Throws the compiler's output if it fails.
 */
export async function compilePackages(packages: readonly WorkspacePackage[], out: string): Promise<void> {
  // The compiler emits nothing for files that it finds through node_modules, so it gets their paths.
  const paths = Object.fromEntries(
    packages.flatMap(({ path, manifest }) =>
      Object.entries(manifest.exports ?? {}).map(([name, file]) => [manifest.name + name.slice(1), [join(path, file)]]),
    ),
  );
  const config = join(root, "dist", `tsconfig.pack.${process.pid}.json`);
  const compilerOptions = {
    noEmit: false,
    noEmitOnError: true,
    rootDir: join(root, "packages"),
    outDir: out,
    declaration: true,
    sourceMap: true,
    inlineSources: true,
    rewriteRelativeImportExtensions: true,
    paths,
  };
  // The declarations of packages that have none.
  writeFileSync(
    config,
    JSON.stringify({
      extends: "../tsconfig.json",
      compilerOptions,
      files: Object.values(paths).flat(),
      include: ["../packages/*/src/**/*.d.ts"],
    }),
  );
  try {
    const { code, output } = await step("compile", ["tsc", "-p", config]);
    if (code !== 0) throw new Error(`The packages could not be compiled:\n${output.trim()}`);
  } finally {
    rmSync(config, { force: true });
  }
}
