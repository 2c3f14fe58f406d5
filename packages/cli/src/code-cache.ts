import { readFileSync, renameSync, writeFileSync } from "node:fs";
import Module from "node:module";
import { dirname } from "node:path";
import { constants, Script } from "node:vm";

type Wrapper = (...args: unknown[]) => unknown;
type Loader = { _compile(this: NodeJS.Module, code: string, file: string, ...rest: unknown[]): unknown };

/**
 * Makes `require` use the compiled code that the build stored next to each chunk of the bundle in `folder`. Node's compile cache
 * stores a file before it runs, so functions are compiled again at every start; this cache has every function that a start has
 * called. V8 refuses code of another version of Node; then, and for all other files, Node loads the file as usual. The name
 * of a chunk contains a hash of its text, so the compiled code cannot belong to another text.
 */
export function useCodeCache(folder: string): void {
  const recorded = process.env.GANTRY_RECORD_CODE_CACHE === "1" ? new Map<string, Script>() : undefined;
  const loader = Module.prototype as unknown as Loader;
  const { _compile } = loader;
  loader._compile = function (code, file, ...rest) {
    const script = dirname(file) === folder ? readScript(code, file) : undefined;
    if (script && recorded) recorded.set(file, script);
    else if (script?.cachedDataRejected !== false) return _compile.call(this, code, file, ...rest);
    const run = script.runInThisContext() as Wrapper;
    return run.call(this.exports, this.exports, (id: string) => this.require(id), this, file, folder);
  };
  // The build runs several programs one after the other. Each adds the functions that it has called.
  if (recorded) process.once("exit", () => recorded.forEach(storeCode));
}

function readScript(code: string, file: string): Script | undefined {
  let cachedData: Buffer | undefined;
  try {
    cachedData = readFileSync(`${file}.cache`);
  } catch {
    if (process.env.GANTRY_RECORD_CODE_CACHE !== "1") return undefined;
  }
  return new Script(`(function (exports, require, module, __filename, __dirname) { ${code}\n})`, {
    filename: file,
    cachedData,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
}

function storeCode(script: Script, file: string): void {
  const draft = `${file}.cache.${process.pid}`;
  writeFileSync(draft, script.createCachedData());
  renameSync(draft, `${file}.cache`);
}
