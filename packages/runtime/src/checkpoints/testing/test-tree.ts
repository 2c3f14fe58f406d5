import { createHash } from "node:crypto";
import { lstatSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Git } from "../../lanes/git/git.ts";
import { TestRepository, testGitEnvironment } from "../../lanes/testing/test-repository.ts";
import { findPlace } from "../work-tree/place.ts";
import type { Limits } from "../work-tree/update-index.ts";
import { WorkTree } from "../work-tree/work-tree.ts";

export const testGit = new Git(testGitEnvironment);

/** A real repository and a shadow of its work tree, in a temporary home. */
export class TestTree {
  readonly repository: TestRepository;
  readonly home = realpathSync(mkdtempSync(join(tmpdir(), "gantry-checkpoints-")));
  limits: Limits = { fileBytes: 1024 * 1024, untrackedFiles: 1000 };

  constructor(options: ConstructorParameters<typeof TestRepository>[0] = {}) {
    this.repository = new TestRepository(options);
  }

  async open(cwd = this.repository.path): Promise<WorkTree> {
    const place = await findPlace(testGit, cwd);
    if ("missing" in place) throw new Error(place.missing);
    return new WorkTree(testGit, place, this.home, () => this.limits);
  }

  remove(): void {
    this.repository.remove();
    rmSync(this.home, { recursive: true, force: true });
  }
}

/** The state of the user's git in a work tree. A checkpoint must not change it. */
export function ownState(repository: TestRepository, cwd = repository.path): object {
  const gitDir = repository.gitIn(cwd, "rev-parse", "--absolute-git-dir");
  const hash = (name: string) => {
    try {
      return createHash("sha256")
        .update(readFileSync(join(gitDir, name)))
        .digest("hex");
    } catch {
      return "none";
    }
  };
  const status = repository.gitIn(cwd, "-c", "core.fsmonitor=false", "--no-optional-locks", "status", "--porcelain");
  return { status, index: hash("index"), head: hash("HEAD"), config: hash("config"), files: filesOf(cwd) };
}

/** Every file below a folder except git's, read without git: path, kind, mode and bytes. */
export function filesOf(folder: string, seen = (_: string) => true): Record<string, string> {
  const files: Record<string, string> = {};
  const walk = (path: string) => {
    for (const name of readdirSync(join(folder, path))) {
      if (name === ".git") continue;
      const inner = path === "" ? name : `${path}/${name}`;
      const stats = lstatSync(join(folder, inner));
      if (stats.isDirectory()) walk(inner);
      else if (!seen(inner)) continue;
      else if (stats.isSymbolicLink()) files[inner] = `link ${readlinkSync(join(folder, inner))}`;
      else if (stats.isFile()) {
        const bytes = readFileSync(join(folder, inner)).toString("latin1");
        files[inner] = `${stats.mode & 0o100 ? "program" : "file"} ${bytes}`;
      }
    }
  };
  walk("");
  return files;
}
