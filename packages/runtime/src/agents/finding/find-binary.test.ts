import { chmodSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findBinary } from "./find-binary.ts";
import { LoginShell } from "./login-shell.ts";
import { TestMachine } from "./testing/machine.ts";

const find = { bin: ["zz-agent", "zz-old-name"], env: "GANTRY_ZZ_BIN" };
let machine: TestMachine;

beforeEach(() => {
  machine = new TestMachine();
});
afterEach(() => machine.remove());

function search(more: Record<string, string> = {}) {
  const env = machine.env(more);
  return findBinary(find, env, new LoginShell(env));
}

describe("the override variable", () => {
  it("takes precedence over PATH", async () => {
    machine.program("bin/zz-agent");
    const path = machine.program("elsewhere/mine");
    expect((await search({ GANTRY_ZZ_BIN: path })).found).toEqual({ path, how: "override" });
  });

  it("accepts a name on PATH and a path that starts with ~", async () => {
    const named = machine.program("bin/zz-beta");
    expect((await search({ GANTRY_ZZ_BIN: "zz-beta" })).found).toEqual({ path: named, how: "override" });
    const atHome = machine.program("home/tools/zz");
    expect((await search({ GANTRY_ZZ_BIN: "~/tools/zz" })).found).toEqual({ path: atHome, how: "override" });
  });

  it("is reported and not skipped when it is unusable", async () => {
    machine.program("bin/zz-agent");
    const plain = machine.file("elsewhere/plain", "text");
    const cases = [
      { value: join(machine.root, "nowhere"), verdict: "absent" },
      { value: "zz-nowhere", verdict: "absent" },
      { value: machine.home, verdict: "a folder" },
      { value: plain, verdict: "not executable" },
    ];
    for (const { value, verdict } of cases) {
      const finding = await search({ GANTRY_ZZ_BIN: value });
      expect(finding.found).toBeUndefined();
      expect(finding.override).toEqual({ path: value, how: "override", verdict });
    }
  });

  it("is ignored when empty", async () => {
    const path = machine.program("bin/zz-agent");
    expect((await search({ GANTRY_ZZ_BIN: "" })).found).toEqual({ path, how: "PATH" });
  });
});

describe("PATH", () => {
  it("is searched before the toolchains, in the order of the binary names", async () => {
    machine.program("home/.local/bin/zz-agent");
    machine.program("bin/zz-old-name");
    const path = machine.program("second/zz-agent");
    const finding = await search({ PATH: `${machine.bin}:${machine.root}/second` });
    expect(finding.found).toEqual({ path, how: "PATH" });
  });

  it("skips files that are not executable and records the reason", async () => {
    chmodSync(machine.program("bin/zz-agent"), 0o644);
    mkdirSync(join(machine.root, "second", "zz-agent"), { recursive: true });
    mkdirSync(join(machine.root, "third"));
    symlinkSync(join(machine.root, "gone"), join(machine.root, "third", "zz-agent"));
    const path = machine.program("fourth/zz-agent");
    const folders = ["bin", "second", "third", "fourth"].map((name) => join(machine.root, name));
    const finding = await search({ PATH: folders.join(":") });
    expect(finding.found?.path).toBe(path);
    const verdicts = finding.considered.map(({ verdict }) => verdict);
    expect(verdicts).toEqual(["not executable", "a folder", "a link to nothing", "executable"]);
  });

  it("follows symbolic links", async () => {
    machine.program("lib/node_modules/zz/cli.js");
    const link = join(machine.bin, "zz-agent");
    symlinkSync("../lib/node_modules/zz/cli.js", link);
    expect((await search()).found).toEqual({ path: link, how: "PATH" });
  });

  it("ignores relative folders", async () => {
    const finding = await search({ PATH: ".:bin" });
    expect(finding.considered.filter(({ how }) => how === "PATH")).toEqual([]);
  });
});

describe("toolchain folders", () => {
  const places = [
    ["home/.local/bin", "local"],
    ["home/.nvm/versions/node/v20.1.0/bin", "nvm"],
    ["home/.local/share/fnm/node-versions/v22.0.0/installation/bin", "fnm"],
    ["home/.volta/bin", "volta"],
    ["home/.asdf/shims", "asdf"],
    ["home/.local/share/mise/shims", "mise"],
    ["home/.bun/bin", "bun"],
    ["home/.local/share/pnpm", "pnpm"],
    ["home/.yarn/bin", "yarn"],
    ["home/.config/yarn/global/node_modules/.bin", "yarn"],
    ["home/.npm-global/bin", "npm"],
    ["home/.cargo/bin", "cargo"],
  ] as const;

  it.each(places)("are searched: %s", async (folder, how) => {
    const path = machine.program(`${folder}/zz-agent`);
    expect((await search()).found).toEqual({ path, how });
  });

  it("are located by their environment variables", async () => {
    const variables = {
      NVM_DIR: "versions/node/v22.0.0/bin",
      FNM_DIR: "aliases/default/bin",
      VOLTA_HOME: "bin",
      ASDF_DATA_DIR: "installs/nodejs/22.0.0/bin",
      MISE_DATA_DIR: "installs/node/22/bin",
      BUN_INSTALL: "bin",
      PNPM_HOME: ".",
      NPM_CONFIG_PREFIX: "bin",
      HOMEBREW_PREFIX: "bin",
      CARGO_HOME: "bin",
    };
    for (const [variable, folder] of Object.entries(variables)) {
      const path = machine.program(join("moved", variable, folder, "zz-agent"));
      const finding = await search({ [variable]: join(machine.root, "moved", variable) });
      expect(finding.found?.path, variable).toBe(path);
    }
  });

  it("of several node versions are searched newest first", async () => {
    machine.program("home/.nvm/versions/node/v9.11.2/bin/zz-agent");
    const newest = machine.program("home/.nvm/versions/node/v22.3.0/bin/zz-agent");
    machine.program("home/.nvm/versions/node/v20.19.0/bin/zz-agent");
    mkdirSync(join(machine.home, ".nvm/versions/node/v24.0.0/bin"), { recursive: true });
    expect((await search()).found).toEqual({ path: newest, how: "nvm" });
  });

  it("include npm's prefix from .npmrc", async () => {
    machine.file("home/.npmrc", "registry = http://127.0.0.1:1/\nprefix = $" + "{HOME}/packages\n");
    const path = machine.program("home/packages/bin/zz-agent");
    expect((await search()).found).toEqual({ path, how: "npm" });
  });
});

describe("the login shell", () => {
  it("is read last, and only if nothing else matched", async () => {
    const shell = machine.program(
      "shell",
      `echo asked >> ${machine.root}/asked; PATH=${machine.root}/rc:$PATH; eval "$4"`,
    );
    const path = machine.program("rc/zz-agent");
    expect((await search({ SHELL: shell })).found).toEqual({ path, how: "login shell" });
    machine.program("bin/zz-agent");
    const finding = await search({ SHELL: shell });
    expect(finding.found?.how).toBe("PATH");
    expect(finding.considered.some(({ how }) => how === "login shell")).toBe(false);
  });
});

it("returns every checked path when nothing is found", async () => {
  const finding = await search();
  expect(finding.found).toBeUndefined();
  expect(finding.considered.length).toBeGreaterThan(10);
  expect(finding.considered.every(({ verdict }) => verdict === "absent")).toBe(true);
});
