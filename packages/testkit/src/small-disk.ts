import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A small file system in a temporary folder that a test can fill and free. Needs root; `undefined` without it. */
export class SmallDisk {
  readonly folder: string;
  readonly #ballast: string;

  private constructor(folder: string) {
    this.folder = folder;
    this.#ballast = join(folder, "ballast");
  }

  static mount(megabytes: number): SmallDisk | undefined {
    const folder = mkdtempSync(join(tmpdir(), "gantry-disk-"));
    try {
      execFileSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", folder], { stdio: "ignore" });
      return new SmallDisk(folder);
    } catch {
      rmSync(folder, { recursive: true, force: true });
      console.warn("LEFT OUT: tests on a full disk need root and a system that can mount tmpfs");
      return undefined;
    }
  }

  /** Leaves no byte. Call it again to take what was freed since. */
  fill(): void {
    for (let size = 1024 * 1024; size >= 1; size >>= 1) {
      try {
        while (statfsSync(this.folder).bavail > 0) writeFileSync(this.#ballast, Buffer.alloc(size), { flag: "a" });
      } catch {
        // Too large for the remaining space: try a smaller chunk.
      }
    }
  }

  free(): void {
    rmSync(this.#ballast, { force: true });
  }

  unmount(): void {
    execFileSync("umount", ["-l", this.folder]);
    rmSync(this.folder, { recursive: true, force: true });
  }
}
