import { execFile, execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../../scripts/steps.ts";
import { processesOf } from "../harness/processes.ts";
import { eventually } from "../harness/wait.ts";

export type Result = { status: number; stdout: string; stderr: string };

/** Settings of npm that this machine needs to reach the registry. */
const NPM_SETTINGS = ["registry", "cafile", "proxy", "https-proxy", "cache"];

/**
 * A machine without this repository: an empty home folder, Node 24, npm and the tools of the system. The tarballs are packed
 * from the repository; `gantry` is installed globally into a separate prefix.
 */
export class Machine {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), "gantry-packages-")));
  readonly home = join(this.folder, "home");
  readonly bin = join(this.folder, "bin");
  readonly prefix = join(this.folder, "prefix");
  readonly project = join(this.folder, "project");
  readonly tarballs = join(this.folder, "tarballs");
  readonly env: Record<string, string>;

  constructor() {
    for (const folder of [this.home, this.bin, this.project]) mkdirSync(folder, { recursive: true });
    symlinkSync(process.execPath, join(this.bin, "node"));
    const npm = realpathSync(execFileSync("sh", ["-c", "command -v npm"], { encoding: "utf8" }).trim());
    this.addProgram("npm", `exec "${join(this.bin, "node")}" "${npm}" "$@"`);
    this.env = {
      HOME: this.home,
      PATH: `${this.bin}:/usr/local/bin:/usr/bin:/bin`,
      GANTRY_TEXT_HELPER: "off",
      ...npmSettings(),
    };
  }

  get package(): string {
    return join(this.prefix, "lib/node_modules/gantry");
  }

  /** The names of the tarballs. */
  pack(): string[] {
    const flags = ["--disable-warning=ExperimentalWarning", join(root, "scripts/pack.ts"), "--out", this.tarballs];
    execFileSync(process.execPath, flags, { stdio: ["ignore", "pipe", "pipe"] });
    return readdirSync(this.tarballs).sort();
  }

  tarball(name: RegExp): string {
    return join(this.tarballs, readdirSync(this.tarballs).find((each) => name.test(each)) ?? "");
  }

  addProgram(name: string, script: string): void {
    writeFileSync(join(this.bin, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(this.bin, name), 0o755);
  }

  run(program: string, args: string[], cwd = this.project): Promise<Result> {
    return new Promise((resolve) => {
      execFile(program, args, { cwd, env: this.env, maxBuffer: 64 * 1024 ** 2 }, (error, stdout, stderr) => {
        resolve({ status: error ? Number(error.code ?? 1) : 0, stdout, stderr });
      });
    });
  }

  /** Throws npm's output if it fails. */
  async npm(...args: string[]): Promise<string> {
    const done = await this.run(join(this.bin, "npm"), [...args, "--no-audit", "--no-fund"]);
    if (done.status !== 0) throw new Error(`npm ${args[0]} failed: ${done.stderr}`);
    return done.stdout;
  }

  gantry(...args: string[]): Promise<Result> {
    return this.run(join(this.prefix, "bin/gantry"), args);
  }

  /** A tarball of the command with another version, whose program begins with `code`. */
  repack(version: string, code = ""): string {
    const folder = mkdtempSync(join(this.folder, "repack-"));
    execFileSync("tar", ["-xzf", this.tarball(/^gantry-\d/), "-C", folder]);
    const path = join(folder, "package");
    const manifest = JSON.parse(readFileSync(join(path, "package.json"), "utf8")) as { gantry: { build: string } };
    const { build } = manifest.gantry;
    const next = `build-${version}`;
    renameSync(join(path, build), join(path, next));
    const replace = (file: string) =>
      writeFileSync(join(path, file), readFileSync(join(path, file), "utf8").replaceAll(build, next));
    replace("package.json");
    replace("bin/gantry");
    const changed = JSON.parse(readFileSync(join(path, "package.json"), "utf8")) as object;
    writeFileSync(join(path, "package.json"), JSON.stringify({ ...changed, version }));
    const start = join(path, next, "start.cjs");
    writeFileSync(start, `${code}\n${readFileSync(start, "utf8")}`);
    const tarball = join(folder, `gantry-${version}.tgz`);
    execFileSync("tar", ["-czf", tarball, "-C", folder, "package"], { env: { ...process.env, GZIP: "-1" } });
    return tarball;
  }

  /** Waits until the daemon has stored the compiled code of the package, which it does in the background. */
  async waitForCompiledCode(): Promise<void> {
    await eventually(
      "the compiled code",
      () => {
        const builds = readdirSync(this.package).filter((name) => name.startsWith("build-"));
        const files = builds.flatMap((build) => readdirSync(join(this.package, build)));
        return files.some((name) => /^compiled-by-.*\.done$/.test(name)) || undefined;
      },
      110_000,
    );
  }

  async close(): Promise<void> {
    if (existsSync(join(this.prefix, "bin/gantry"))) {
      // Agents that a stopped daemon has left running are released by the next one.
      await this.gantry("ls");
      await this.gantry("stop", "--release");
    }
    // What stores the compiled code ends soon; the folder must not vanish below it.
    await eventually("the end of all processes", () => processesOf(this.home).length === 0 || undefined, 110_000);
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function npmSettings(): Record<string, string> {
  const settings = NPM_SETTINGS.flatMap((name) => {
    const value = spawnSync("npm", ["config", "get", name], { encoding: "utf8" }).stdout.trim();
    return value && value !== "null" ? [[`npm_config_${name.replaceAll("-", "_")}`, value]] : [];
  });
  const certificates = process.env.NODE_EXTRA_CA_CERTS;
  return { ...Object.fromEntries(settings), ...(certificates ? { NODE_EXTRA_CA_CERTS: certificates } : {}) };
}
