import { type ApiParts, createApi } from "../api/create-api.ts";
import type { Extension } from "../api/types.ts";
import type { Found } from "../discovery/found.ts";
import { importModule } from "./import-module.ts";
import { blankExtension, type Loaded } from "./loaded.ts";
import type { Supervisor } from "./supervise.ts";

/** For importing the module and for its function. */
const LOAD_MS = 10_000;

/** Loads an extension. `packageFolder`: where a module of a project finds packages. Never rejects: an extension that cannot be loaded has the state `failed`. */
export async function loadModule(
  found: Found,
  packageFolder: string,
  supervisor: Supervisor,
  parts: ApiParts,
): Promise<Loaded> {
  const loaded = blankExtension(found, "active");
  const done = await supervisor.run(loaded, "load", LOAD_MS, async () => {
    const isClosed = found.scope === "project";
    const { exports, release } = await importModule(found.path, { files: found.files, isClosed, packageFolder });
    loaded.release = release;
    if (typeof exports.default !== "function")
      throw new Error("It has no default export that is a function: export default (gantry) => { … }");
    const api = createApi(loaded, { ...parts, ui: supervisor.uiFor(loaded, parts.ui) });
    const cleanup: unknown = await (exports.default as Extension)(api);
    if (typeof cleanup === "function") loaded.cleanup = cleanup as () => void;
  });
  if (!done) {
    const failed = blankExtension(found, "failed", "It could not be loaded; the reason was reported.");
    loaded.release?.();
    loaded.state = "failed";
    return failed;
  }
  return loaded;
}
