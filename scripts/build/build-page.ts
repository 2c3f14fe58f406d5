import { join } from "node:path";
import { build } from "vite";
import { root } from "../steps.ts";

/** Builds the page into `folder`. */
export async function buildPage(folder: string): Promise<void> {
  // The `NODE_ENV` of a test runner would produce a development build.
  process.env.NODE_ENV = "production";
  await build({
    configFile: join(root, "packages/web/vite.config.ts"),
    logLevel: "warn",
    build: { outDir: folder, emptyOutDir: true },
  });
}
