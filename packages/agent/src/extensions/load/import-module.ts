import { registerHooks } from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { constants, Script } from "node:vm";
import { realPath } from "@gantry/trust";
import type { Files } from "../discovery/closure.ts";

const MARK = "gantry-load";

/**
 * `isClosed`: a file that was not read before must not be loaded by a path, and packages come from `packageFolder`, never
 * from the project: the hash of the module does not cover them.
 */
type Load = { files: Files; isClosed: boolean; packageFolder: string };

const loads = new Map<string, Load>();
let count = 0;
let isHooked = false;

/** The import of Node itself: bundlers and test runners replace the keyword. */
const importNatively = new Script("(address) => import(address)", {
  filename: "gantry-import-extension.js",
  importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
}).runInThisContext() as (address: string) => Promise<Record<string, unknown>>;

/**
 * Loads a module from the content that was read and, for a project, compared with the trusted one: what is on the disk by
 * now does not count (TOCTOU). Each call loads the module and its relative imports again. Node never frees a module that
 * it has loaded, so the caller limits the number of calls. `release` forgets the content; what a project's module still imports by a path then is refused.
 */
export async function importModule(
  path: string,
  load: Load,
): Promise<{ exports: Record<string, unknown>; release(): void }> {
  if (!isHooked) registerHooks({ resolve: resolveImport, load: loadSource });
  isHooked = true;
  const id = String(++count);
  loads.set(id, load);
  const release = () => void loads.set(id, { ...load, files: new Map() });
  try {
    return { exports: await importNatively(markUrl(pathToFileURL(path).href, id)), release };
  } catch (error) {
    release();
    throw error;
  }
}

/** The path of the extension's file in the stack of an error. */
export function fileInStack(error: unknown): string | undefined {
  const [, address] = new RegExp(`(file://[^\\s()]+?)\\?${MARK}=`).exec((error as Error)?.stack ?? "") ?? [];
  return address === undefined ? undefined : fileURLToPath(address);
}

function markUrl(url: string, id: string): string {
  return `${url}?${MARK}=${id}`;
}

function findLoad(url: string | undefined): { id: string; load: Load; path: string } | undefined {
  const [, address, id] = new RegExp(`^(file://[^?]+)\\?${MARK}=(\\d+)$`).exec(url ?? "") ?? [];
  const load = id === undefined ? undefined : loads.get(id);
  return load && id !== undefined && address !== undefined ? { id, load, path: fileURLToPath(address) } : undefined;
}

type Resolve = NonNullable<Parameters<typeof registerHooks>[0]["resolve"]>;
type LoadHook = NonNullable<Parameters<typeof registerHooks>[0]["load"]>;

const resolveImport: Resolve = (specifier, context, next) => {
  const parent = findLoad(context.parentURL);
  if (!parent) return next(specifier, context);
  const isPath = /^(?:\.{1,2}\/|\/|file:)/.test(specifier);
  if (!isPath && parent.load.isClosed) return resolvePackage(specifier, parent.load.packageFolder, context, next);
  const resolved = next(specifier, context);
  if (!isPath || !resolved.url.startsWith("file:")) return resolved;
  const path = realPath(fileURLToPath(resolved.url.replace(/\?.*$/, "")));
  if (parent.load.files.has(path)) return { ...resolved, url: markUrl(pathToFileURL(path).href, parent.id) };
  if (parent.load.isClosed) throw new Error(`${path} is not part of what you have trusted, so it is not loaded.`);
  return resolved;
};

function resolvePackage(
  specifier: string,
  folder: string,
  context: Parameters<Resolve>[1],
  next: Parameters<Resolve>[2],
) {
  try {
    return next(specifier, { ...context, parentURL: pathToFileURL(join(folder, "package.json")).href });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw error;
    const reason = `${specifier} is not installed for the agent. Packages of the project are not used.`;
    throw new Error(`${reason} To install it, run: npm install --prefix ${folder} ${specifier}`);
  }
}

const loadSource: LoadHook = (url, context, next) => {
  const found = findLoad(url);
  const source = found?.load.files.get(found.path);
  if (!found || source === undefined) return next(url, context);
  const { path, load } = found;
  if (/\.m?ts$/.test(path)) return { format: "module-typescript", source, shortCircuit: true };
  if (path.endsWith(".json")) return { format: "json", source, shortCircuit: true };
  const isModule = path.endsWith(".mjs") || /^\s*(?:import|export)\b/m.test(source);
  if (isModule) return { format: "module", source, shortCircuit: true };
  if (load.isClosed) throw new Error(`${path} is not an ES module. Extensions of a project must be ES modules.`);
  return next(url, context);
};
