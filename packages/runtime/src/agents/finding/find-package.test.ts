import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findPackage } from "./find-package.ts";
import { LoginShell } from "./login-shell.ts";
import { TestMachine } from "./testing/machine.ts";

let machine: TestMachine;
beforeEach(() => {
  machine = new TestMachine();
});
afterEach(() => machine.remove());

function search(more: Record<string, string> = {}) {
  const { override, ...rest } = more;
  const env = machine.env(rest);
  return findPackage({ name: "@zz/sdk", override }, env, new LoginShell(env));
}

function addPackage(folder: string, name = "@zz/sdk"): string {
  machine.file(`${folder}/package.json`, JSON.stringify({ name }));
  return join(machine.root, folder);
}

describe("a package", () => {
  it.each([
    ["npm, next to a program on PATH", "lib/node_modules/@zz/sdk"],
    ["npm with a prefix", "home/.npm-global/lib/node_modules/@zz/sdk"],
    ["nvm", "home/.nvm/versions/node/v24.1.0/lib/node_modules/@zz/sdk"],
    ["bun", "home/.bun/install/global/node_modules/@zz/sdk"],
    ["pnpm", "home/.local/share/pnpm/global/5/node_modules/@zz/sdk"],
    ["yarn", "home/.config/yarn/global/node_modules/@zz/sdk"],
  ])("is found where %s installs it", async (_, folder) => {
    const path = addPackage(folder);
    expect((await search()).found?.folder).toBe(path);
  });

  it.each(["project", "global-shop", "global", "work/install/global-shop"])(
    "is not found under another name, nor in the project %s",
    async (project) => {
      addPackage("lib/node_modules/@zz/sdk", "@evil/sdk");
      addPackage(`${project}/node_modules/@zz/sdk`);
      const bin = join(machine.root, project, "node_modules/.bin");
      expect(await search({ PATH: `${bin}:${machine.env().PATH}` })).toEqual({});
    },
  );
});

describe("a named folder", () => {
  it("is the package, or contains it", async () => {
    const folder = addPackage("mine/node_modules/@zz/sdk");
    for (const value of [folder, join(machine.root, "mine"), join(machine.root, "mine/node_modules")]) {
      expect((await search({ override: value })).found).toEqual({ folder, how: "override" });
    }
  });

  it("is reported and not skipped when the package is not there", async () => {
    addPackage("lib/node_modules/@zz/sdk");
    expect(await search({ override: "/nowhere" })).toEqual({ override: "/nowhere" });
  });
});
