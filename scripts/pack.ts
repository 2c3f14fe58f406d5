// `npm run pack [-- --out <folder>]`: writes the installable tarballs to dist/packages/: the command with the daemon and the
// page, and one for each package with `publishConfig`. Prints the path of each.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { assembleCommand } from "./pack/command.ts";
import { compilePackages } from "./pack/compile.ts";
import { assembleLibrary } from "./pack/library.ts";
import { containedPackages, publishedPackages, readWorkspace } from "./pack/workspace.ts";
import { root } from "./steps.ts";

const { values } = parseArgs({ options: { out: { type: "string" } } });
const out = resolve(values.out ?? join(root, "dist/packages"));
const workspace = readWorkspace(root);
const { version } = workspace;

mkdirSync(join(root, "dist"), { recursive: true });
// Within the repository, so that the compiler finds the packages.
const draft = mkdtempSync(join(root, "dist", "pack-"));
try {
  const libraries = publishedPackages(workspace);
  const compiled = join(draft, "compiled");
  await compilePackages([...new Set(libraries.flatMap((each) => containedPackages(workspace, each)))], compiled);
  const folders = libraries.map((library) => {
    const folder = join(draft, library.folder);
    assembleLibrary({ workspace, library, compiled, folder, version });
    return folder;
  });
  const command = join(draft, "command");
  await assembleCommand({ workspace, folder: command, version });
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  for (const folder of [command, ...folders]) process.stdout.write(`${writeTarball(folder)}\n`);
} finally {
  rmSync(draft, { recursive: true, force: true });
}

/** Packs a folder with npm. Returns the path of the tarball. No script of the package runs. */
function writeTarball(folder: string): string {
  const args = ["pack", folder, "--pack-destination", out, "--ignore-scripts", "--json", "--loglevel=error"];
  const { status, stdout, stderr, error } = spawnSync("npm", args, { cwd: folder, encoding: "utf8" });
  if (error || status !== 0) throw new Error(`npm pack failed: ${error?.message ?? stderr.trim()}`);
  const [packed] = Object.values(JSON.parse(stdout) as Record<string, { filename: string }>);
  if (!packed) throw new Error(`npm pack reported no file for ${folder}.`);
  return join(out, packed.filename);
}
