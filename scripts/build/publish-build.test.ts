import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { publishBuild } from "./publish-build.ts";

const dist = mkdtempSync(join(tmpdir(), "gantry-dist-"));
afterAll(() => rmSync(dist, { recursive: true, force: true }));

/** A build whose program loads a chunk when it receives a line. */
function publish(version: string): void {
  const draft = join(dist, "draft");
  mkdirSync(draft);
  writeFileSync(join(draft, "package.json"), '{ "type": "commonjs" }');
  writeFileSync(join(draft, `chunk-${version}.js`), `console.log("chunk ${version}");`);
  const load = `process.stdin.once("data", () => { require("./chunk-${version}.js"); process.exit(); });`;
  writeFileSync(join(draft, "main.js"), `console.log("ready"); ${load}`);
  publishBuild(dist, "gantry", draft);
}

it("lets a running program load its chunks after a rebuild", async () => {
  publish("1");
  const child = spawn(process.execPath, [join(dist, "gantry", "main.js")]);
  await once(child.stdout, "data");
  publish("2");
  const [text] = await Promise.all([once(child.stdout, "data"), child.stdin.write("go\n")]);
  expect(String(text)).toBe("chunk 1\n");
  expect(readFileSync(join(dist, "gantry", "main.js"), "utf8")).toContain("chunk-2");
});

it("replaces a folder by the link, and removes old builds", () => {
  rmSync(join(dist, "gantry"));
  mkdirSync(join(dist, "gantry", "compile-cache"), { recursive: true });
  for (let version = 0; version < 8; version += 1) publish(`${version}`);
  expect(readdirSync(join(dist, "builds"))).toHaveLength(5);
  expect(readFileSync(join(dist, "gantry", "main.js"), "utf8")).toContain("chunk-7");
});
