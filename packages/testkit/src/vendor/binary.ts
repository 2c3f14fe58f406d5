import { execFile } from "node:child_process";
import { constants } from "node:fs";
import { access, chmod, mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";
import type { VendorPackage } from "./vendor.ts";
import { vendorPackage } from "./vendors.ts";

const run = promisify(execFile);

/**
 * The path of a vendor's own program in exactly this version. It is installed from the package registry the first
 * time (about 300 MB each) into `GANTRY_VENDOR_CACHE`, or `.cache/vendors` of the repository, and found there later.
 * Several processes may ask at once: an install becomes visible in one rename.
 */
export async function vendorBinary(options: { agent: string; version: string }): Promise<string> {
  const wanted = vendorPackage(options.agent, options.version);
  const folder = join(cacheFolder(), `${options.agent}-${options.version}`);
  const program = (await findProgram(folder, wanted)) ?? (await install(options, wanted, folder));
  await makeExecutable(program);
  return program;
}

/** The program in an installed package; `undefined` if none of its known paths exists. */
async function findProgram(folder: string, wanted: VendorPackage): Promise<string | undefined> {
  for (const program of [wanted.program, ...(wanted.olderPrograms ?? [])]) {
    const path = join(folder, "node_modules", program);
    if (await exists(path)) return path;
  }
  return undefined;
}

async function install(
  { agent, version }: { agent: string; version: string },
  wanted: VendorPackage,
  folder: string,
): Promise<string> {
  await mkdir(dirname(folder), { recursive: true });
  const draft = await mkdtemp(`${folder}.installing-`);
  try {
    await writeFile(join(draft, "package.json"), '{ "private": true }\n');
    // The unpacked package comes last: npm removes what it does not know.
    const specs = [...(wanted.bundled ? [] : [wanted.spec]), ...(wanted.companions ?? [])];
    if (specs.length > 0) await npmInstall(draft, specs);
    if (wanted.bundled) await unpack(draft, wanted.spec, wanted.bundled);
    if (wanted.packed) await decompress(join(draft, "node_modules"), wanted.packed, wanted.program);
    if (!(await findProgram(draft, wanted))) throw new Error(`${wanted.spec} holds no ${wanted.program}`);
    return await settle(draft, folder, wanted);
  } catch (error) {
    throw new Error(`Could not install ${agent} ${version}: ${(error as Error).message}`, { cause: error });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function decompress(modules: string, packed: string, program: string): Promise<void> {
  const bytes = await promisify(brotliDecompress)(await readFile(join(modules, packed)));
  await writeFile(join(modules, program), bytes, { mode: 0o755 });
  await rm(join(modules, packed));
}

/** Publishes the draft with one rename. A concurrent valid install wins; a broken one is replaced. */
async function settle(draft: string, folder: string, wanted: VendorPackage): Promise<string> {
  const winner = await findProgram(folder, wanted);
  if (winner) return winner;
  await rm(folder, { recursive: true, force: true });
  const lost = await rename(draft, folder).catch((error: Error) => error);
  const program = await findProgram(folder, wanted);
  if (!program) throw lost ?? new Error(`${folder} was removed while it was installed`);
  return program;
}

async function npmInstall(folder: string, specs: readonly string[]): Promise<void> {
  const flags = ["--ignore-scripts", "--no-audit", "--no-fund", "--no-package-lock", "--loglevel=error"];
  await runNpm(folder, ["install", ...flags, ...specs]);
}

/** Installs one package without its dependencies. */
async function unpack(folder: string, spec: string, name: string): Promise<void> {
  const archive = (await runNpm(folder, ["pack", spec, "--ignore-scripts", "--silent"])).trim();
  const place = join(folder, "node_modules", name);
  await mkdir(place, { recursive: true });
  await run("tar", ["-xzf", join(folder, archive), "--strip-components=1", "-C", place]);
  await rm(join(folder, archive));
}

async function runNpm(folder: string, args: readonly string[]): Promise<string> {
  try {
    return (await run("npm", args, { cwd: folder, maxBuffer: 16 * 1024 * 1024 })).stdout;
  } catch (error) {
    const stderr = (error as { stderr?: string }).stderr?.trim();
    throw new Error(`npm ${args.join(" ")} failed: ${stderr || (error as Error).message}`);
  }
}

async function makeExecutable(program: string): Promise<void> {
  const { mode } = await stat(program);
  if ((mode & 0o111) === 0) await chmod(program, mode | 0o755);
}

async function exists(path: string): Promise<boolean> {
  return access(path, constants.F_OK).then(
    () => true,
    () => false,
  );
}

function cacheFolder(): string {
  const repository = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "..", "..");
  return process.env.GANTRY_VENDOR_CACHE ?? join(repository, ".cache", "vendors");
}
