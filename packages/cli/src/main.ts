import { readFileSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { join } from "node:path";
import { useCodeCache } from "./code-cache.ts";

// The bundle's caches are next to it and filled by the build. Node's default is a folder that all users of the machine share.
if (import.meta.filename.endsWith(".js")) {
  enableCompileCache(join(import.meta.dirname, "compile-cache"));
  useCodeCache(import.meta.dirname);
} else enableCompileCache();
exitOnClosedPipe();

const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
  version: string;
};
// Not a top-level await: the bundle is CommonJS.
void import("./cli.ts").then(async ({ runCommandLine }) => {
  process.exitCode = await runCommandLine(process.argv.slice(2), version);
});

/** `gantry ls | head` closes the pipe early; that is not an error. */
function exitOnClosedPipe(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EPIPE") process.exit(0);
      throw error;
    });
  }
}
