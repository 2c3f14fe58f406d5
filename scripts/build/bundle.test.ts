import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { root } from "../steps.ts";

const run = promisify(execFile);

it("bundles the command line, and the bundle runs", async () => {
  await run(process.execPath, ["--disable-warning=ExperimentalWarning", join(root, "scripts/build/bundle.ts")]);
  expect(existsSync(join(root, "dist/gantry/page.html"))).toBe(true);
  const { stdout } = await run(process.execPath, [join(root, "dist/gantry/main.js"), "agents", "--help"]);
  expect(stdout).toContain("gantry agents");
});

it("loads neither undici nor the schemas of calls before the first request", async () => {
  const { file, before } = findChunk(/\bstartDaemon\b[^;]*\};?\s*$/);
  expect(before.join("\n")).not.toContain("packages/protocol/src/api/routes.ts");
  const code = `await import(${JSON.stringify(file)}); console.log(process.moduleLoadList.join("\\n"))`;
  const { stdout } = await run(process.execPath, ["--input-type=module", "-e", code]);
  expect(stdout).toContain("NativeModule http");
  expect(stdout).not.toContain("undici");
});

/** The chunk with these exports at its end, and the texts of all chunks that it imports statically. */
function findChunk(exports: RegExp): { file: string; before: string[] } {
  const folder = join(root, "dist/gantry");
  const text = (name: string) => readFileSync(join(folder, name), "utf8");
  const [name = ""] = readdirSync(folder).filter(
    (each) => each.endsWith(".js") && exports.test(text(each).slice(-300)),
  );
  const seen = new Set([name]);
  for (const each of seen)
    for (const [, next = ""] of text(each).matchAll(/^import .*?"\.\/(.+?)";$/gm)) seen.add(next);
  return { file: join(folder, name), before: [...seen].map(text) };
}
