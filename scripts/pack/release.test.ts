import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "../steps.ts";
import { dateChangelog, isVersion, setLockVersion, setVersion } from "./release.ts";

const read = (path: string) => readFileSync(join(root, path), "utf8");
const manifests = [
  "package.json",
  ...readdirSync(join(root, "packages")).map((name) => `packages/${name}/package.json`),
];
const { version: current } = JSON.parse(read("package.json")) as { version: string };

it("keeps all packages of the repository at one version, and restores every file byte by byte", () => {
  for (const path of manifests) {
    const next = setVersion(read(path), "9.8.7");
    expect(JSON.parse(next)).toMatchObject({ version: "9.8.7" });
    expect([...next.matchAll(/"@gantry\/[\w-]+": "(.*)"/g)].map(([, version]) => version)).not.toContain(current);
    expect(setVersion(next, current)).toBe(read(path));
  }
});

it("changes only the packages of the repository in the lock file", () => {
  const before = JSON.parse(read("package-lock.json")) as { packages: Record<string, object> };
  const text = setLockVersion(read("package-lock.json"), "9.8.7");
  const after = JSON.parse(text) as { version: string; packages: Record<string, object> };
  expect(after.version).toBe("9.8.7");
  for (const [path, entry] of Object.entries(after.packages)) {
    if (path === "" || path.startsWith("packages/")) expect(entry).toMatchObject({ version: "9.8.7" });
    else expect(entry).toEqual(before.packages[path]);
  }
  expect(setLockVersion(text, current)).toBe(read("package-lock.json"));
});

it("dates the unreleased section of the changelog, and refuses a changelog without one", () => {
  const text = "# Changelog\n\n## 0.2.0 (unreleased)\n\n- New.\n\n## 0.1.0 (2026-01-01)\n";
  const dated = dateChangelog(text, "0.2.0", "2026-02-03");
  expect(dated).toBe(text.replace("0.2.0 (unreleased)", "0.2.0 (2026-02-03)"));
  expect(() => dateChangelog(dated, "0.3.0", "2026-02-04")).toThrow("unreleased section");
});

it.each(["", "1.2", "v1.2.3", "1.2.3 --force", "latest"])("refuses %j as a version", (text) => {
  expect(isVersion(text)).toBe(false);
});

it.each(["0.1.0", "1.2.3-beta.1"])("accepts %s as a version", (text) => {
  expect(isVersion(text)).toBe(true);
});
