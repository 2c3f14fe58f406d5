import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export type UnpackedPackage = { folder: string; version: string; license: string };

/**
 * Downloads one npm package without its dependencies, unpacks it into a temporary folder, passes it to `use` and deletes
 * the folder. Generators take their data from packages this way, so that no data package is a dependency of Gantry.
 */
export async function withNpmPackage<T>(
  name: string,
  version: string,
  use: (unpacked: UnpackedPackage) => T | Promise<T>,
): Promise<T> {
  const temporary = mkdtempSync(join(tmpdir(), "gantry-package-"));
  try {
    const run = (program: string, args: string[]) =>
      execFileSync(program, args, { cwd: temporary, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
    const archive = run("npm", ["pack", "--silent", "--ignore-scripts", `${name}@${version}`]).trim();
    run("tar", ["-xzf", archive]);
    const folder = join(temporary, "package");
    const { version: found, license = "MIT" } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    return await use({ folder, version: found, license });
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}
