import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { openTrustStore } from "@gantry/trust";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findProjectCode } from "../start/project/project-code.ts";
import { type LspConfig, readLspConfig } from "../tools/lsp/config.ts";
import { readMcpServers } from "../tools/mcp/config.ts";
import { openProjectTrust, pathNotice } from "./project-trust.ts";

let root: string;
let place: { cwd: string; agentDir: string; home: string; path: string };

beforeEach(() => {
  root = mkdtempSync(join(realpathSync("/var/tmp"), "gantry-trust-"));
  place = { cwd: join(root, "repo"), home: join(root, "home"), agentDir: join(root, "home/.gantry/agent"), path: "" };
  for (const folder of [place.cwd, place.agentDir, join(root, "usr/bin")]) mkdirSync(folder, { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(path: string, text = "#!/bin/sh\n"): string {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  chmodSync(file, 0o755);
  return file;
}
const read = (): Promise<LspConfig> => readLspConfig({ ...place, trust: openProjectTrust(place) });
const store = () => openTrustStore(join(place.home, ".gantry"));
const trustAll = async () => store().trust(place.cwd, await findProjectCode(place));
const names = ({ servers }: LspConfig) => servers.map(({ name }) => name);
const entry = (more: object = {}) => ({
  command: "/bin/sh",
  args: ["-c", "id"],
  fileTypes: [".txt"],
  rootMarkers: ["."],
  ...more,
});

describe("a project's own configuration of language servers", () => {
  const files = ["lsp.json", ".lsp.json", ".gantry/lsp.json", ".gemini/.lsp.json"];

  it.each(files)("is not used before it is trusted: %s", async (name) => {
    write(`repo/${name}`, JSON.stringify({ x: entry() }));
    const config = await read();
    expect(config.servers).toEqual([]);
    expect(config.untrusted).toEqual([
      { name: "x", fileTypes: [".txt"], why: expect.stringContaining('wants to run "/bin/sh -c id"') },
    ]);
    await trustAll();
    expect(names(await read())).toEqual(["x"]);
    write(`repo/${name}`, JSON.stringify({ x: entry({ args: ["-c", "id > pwned"] }) }));
    expect((await read()).servers).toEqual([]);
  });

  it("changes neither arguments, options, settings nor markers of a known server", async () => {
    write("usr/bin/gopls");
    place.path = join(root, "usr/bin");
    write("repo/go.mod", "");
    const own = (await read()).servers;
    expect(names({ servers: own } as LspConfig)).toEqual(["gopls"]);
    const change = {
      args: ["evil"],
      initOptions: { a: 1 },
      settings: { a: 1 },
      command: "/bin/sh",
      fileTypes: [".txt"],
    };
    write("repo/lsp.yml", JSON.stringify({ gopls: { ...change, rootMarkers: ["."] } }));
    expect((await read()).servers).toEqual(own);
  });

  it("counts as the project's where the user's file is a link into it", async () => {
    write("repo/dotfiles/lsp.json", JSON.stringify({ x: entry() }));
    symlinkSync(join(root, "repo/dotfiles/lsp.json"), join(place.agentDir, "lsp.json"));
    expect((await read()).servers).toEqual([]);
  });

  it("leaves the user's own configuration in use", async () => {
    write("home/.gantry/agent/lsp.json", JSON.stringify({ x: entry() }));
    expect((await read()).servers).toMatchObject([{ name: "x", confined: false }]);
  });
});

describe("a program", () => {
  const gopls = async () => (await read()).servers.map(({ resolvedCommand }) => resolvedCommand);
  beforeEach(() => write("repo/go.mod", ""));

  it.each(["bin", "node_modules/.bin", ".venv/bin", "venv/bin", "vendor/bin"])("in %s is not run", async (folder) => {
    const program = write(`repo/${folder}/gopls`);
    expect(await gopls()).toEqual([]);
    expect((await read()).untrusted).toEqual([
      { name: "gopls", fileTypes: [".go"], why: `the project supplies the program ${program}` },
    ]);
    await trustAll();
    expect(await gopls()).toEqual([program]);
    write(`repo/${folder}/gopls`, "#!/bin/sh\nevil\n");
    expect(await gopls()).toEqual([]);
  });

  it("on the PATH outside of the project is used instead", async () => {
    write("repo/bin/gopls");
    place.path = join(root, "usr/bin");
    const outside = write("usr/bin/gopls");
    expect(await gopls()).toEqual([outside]);
  });

  it("that the PATH reaches in the project is not run, whichever way the entry is written", async () => {
    write("repo/tools/gopls");
    symlinkSync(join(root, "repo/tools"), join(root, "usr/link"));
    symlinkSync(join(root, "repo/tools/gopls"), join(root, "usr/bin/gopls"));
    const inside = [`${root}/repo/tools`, `${root}/usr/../repo/tools`, `${root}/usr/link`, `${root}/usr/bin`];
    for (const path of [...inside, "tools", ".", "", "./tools", `:${root}/usr/link:`]) {
      place.path = path;
      expect(await gopls()).toEqual([]);
    }
  });

  it("that is a link through the project to somewhere else is not run", async () => {
    write("opt/evil");
    symlinkSync(join(root, "opt/evil"), join(root, "repo/gopls"));
    symlinkSync(join(root, "repo/gopls"), join(root, "usr/bin/gopls"));
    place.path = join(root, "usr/bin");
    expect(await gopls()).toEqual([]);
  });

  it("in the checkout around the session's folder is not run", async () => {
    write("repo/.git/HEAD", "");
    write("repo/tools/gopls");
    write("repo/packages/a/go.mod", "");
    place = { ...place, cwd: join(root, "repo/packages/a"), path: join(root, "repo/tools") };
    expect(await gopls()).toEqual([]);
  });

  it("that may load the project's code is confined until the folder is trusted", async () => {
    write("usr/bin/typescript-language-server");
    write("repo/package.json", "{}");
    place.path = join(root, "usr/bin");
    write("home/.gantry/agent/lsp.json", JSON.stringify({ "typescript-language-server": { settings: { a: 1 } } }));
    expect((await read()).servers).toMatchObject([{ name: "typescript-language-server", confined: true }]);
    await trustAll();
    expect((await read()).servers).toMatchObject([{ confined: false }]);
  });
});

describe("the PATH", () => {
  it("loses its relative entries always, and those in the project until it is trusted", () => {
    const tools = join(root, "repo/tools");
    const trust = openProjectTrust(place);
    expect(trust.searchPath(`${tools}:/usr/bin::.:bin`)).toBe("/usr/bin");
    expect(pathNotice(trust, `${tools}:/usr/bin`)).toContain(tools);
    expect(pathNotice(trust, "/usr/bin:/bin")).toBeUndefined();
    store().trust(place.cwd, []);
    expect(trust.searchPath(`${tools}:/usr/bin::.`)).toBe(`${tools}:/usr/bin`);
  });

  it("is never empty, since that would mean the current folder", () => {
    for (const path of ["", ".", join(root, "repo/bin")]) {
      expect(openProjectTrust(place).searchPath(path)).toBe("/usr/bin:/bin");
    }
  });

  it("keeps the programs of a user that works in the home folder", () => {
    const bin = join(place.home, ".local/bin");
    expect(openProjectTrust({ ...place, cwd: place.home }).searchPath(bin)).toBe(bin);
  });
});

describe("the store", () => {
  it("holds for one folder and can be revoked", async () => {
    write("repo/lsp.json", JSON.stringify({ x: entry() }));
    write("other/lsp.json", JSON.stringify({ x: entry() }));
    await trustAll();
    expect(openProjectTrust({ ...place, cwd: join(root, "other") }).isFolderTrusted()).toBe(false);
    expect(store().revoke(place.cwd)).toBe(true);
    expect(store().revoke(place.cwd)).toBe(false);
    expect((await read()).servers).toEqual([]);
  });

  it("trusts nothing when it is damaged, and never reads one from the project", async () => {
    await trustAll();
    expect(openProjectTrust(place).isFolderTrusted()).toBe(true);
    const dir = join(place.home, ".gantry/trust");
    const [name = ""] = readdirSync(dir);
    write(`repo/.gantry/trust/${name}`, readFileSync(join(dir, name), "utf8"));
    writeFileSync(join(dir, name), "{ nonsense");
    expect(openProjectTrust(place).isFolderTrusted()).toBe(false);
  });

  it("covers the project's MCP servers", async () => {
    write("repo/.gantry/mcp.json", JSON.stringify({ mcpServers: { x: { command: "/bin/sh" } } }));
    const { isContentTrusted } = openProjectTrust(place);
    const files = { ...place, env: {}, trustProject: false, isContentTrusted };
    expect((await readMcpServers(files)).servers).toEqual([]);
    await trustAll();
    expect((await readMcpServers(files)).servers).toMatchObject([{ name: "x" }]);
    write("repo/.gantry/mcp.json", JSON.stringify({ mcpServers: { x: { command: "/bin/bash" } } }));
    expect((await readMcpServers(files)).servers).toEqual([]);
  });
});
