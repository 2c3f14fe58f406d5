import { chmodSync, copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildPage } from "../build/build-page.ts";
import { bundleCommandLine, bundleProgram, UNBUNDLED } from "../build/bundle-command-line.ts";
import { outerDependencies } from "./dependencies.ts";
import { writeManifest } from "./library.ts";
import { copyParsers } from "./parsers.ts";
import { allDependencies, type Workspace } from "./workspace.ts";

/**
 * Writes the package `gantry`: the launcher in `bin/`, and everything else in one folder per version. An upgrade keeps the
 * folder of the previous version, because processes that run load further files from it.
 */
export async function assembleCommand(options: {
  workspace: Workspace;
  folder: string;
  version: string;
}): Promise<void> {
  const { workspace, folder, version } = options;
  const cli = workspace.packages.get("@gantry/cli");
  if (!cli) throw new Error("The package of the command line is missing.");
  const name = `build-${version}`;
  const build = join(folder, name);
  await bundleCommandLine(build, { sourcemap: true });
  await bundleProgram("scripts/pack/store-compiled-code.ts", join(build, "store-compiled-code.mjs"), "esm");
  await buildPage(join(build, "page"));
  copyParsers(join(build, "parsers"));
  copyFileSync(join(import.meta.dirname, "start.cjs"), join(build, "start.cjs"));
  mkdirSync(join(folder, "bin"));
  writeFileSync(join(folder, "bin/gantry"), launcher(name));
  chmodSync(join(folder, "bin/gantry"), 0o755);
  const all = allDependencies(workspace, cli);
  const dependencies = Object.entries(outerDependencies(workspace, all, version)).filter(([each]) =>
    UNBUNDLED.some((pattern) => pattern.test(each)),
  );
  writeManifest(folder, cli, {
    name: "gantry",
    version,
    description: workspace.description,
    bin: { gantry: "bin/gantry" },
    files: ["bin", name],
    os: ["!win32"],
    dependencies: Object.fromEntries(dependencies),
    gantry: { build: name },
  });
}

/** The command. npm links to it; the Node next to the link is the one that npm belongs to. The flags are those of `./gantry` in a clone. */
function launcher(build: string): string {
  return `#!/bin/sh
# Starts Gantry with the Node next to this command, or with the one on PATH.
path=$(readlink -f -- "$0" 2>/dev/null || echo "$0")
node=\${0%/*}/node
[ -x "$node" ] || node=node
command -v "$node" >/dev/null 2>&1 || { echo "gantry: Node.js was not found. Install Node 24 or newer." >&2; exit 3; }
young=--max-semi-space-size=4
[ "$1" = agent ] && young=--min-semi-space-size=16
[ "$1" = serve ] && export MALLOC_MMAP_THRESHOLD_=32768 MALLOC_TRIM_THRESHOLD_=131072
exec "$node" $young "\${path%/bin/gantry}/${build}/start.cjs" "$@"
`;
}
