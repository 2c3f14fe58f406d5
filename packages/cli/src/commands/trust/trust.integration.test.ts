import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FolderTrust } from "@gantry/protocol";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { commandLine } from "../../command-line.harness.ts";

vi.setConfig({ testTimeout: 120_000 });

const root = realpathSync(mkdtempSync(join(tmpdir(), "gantry-trust-cli-")));
const home = join(root, "gantry");
const cwd = join(root, "shop");
const gantry = commandLine(home);
const show = async () => JSON.parse((await gantry(["trust", "--show", "--json", cwd])).stdout) as FolderTrust;

beforeAll(() => mkdirSync(cwd));
afterAll(async () => {
  await gantry(["stop", "--release"]);
  rmSync(root, { recursive: true, force: true, maxRetries: 5 });
});

describe.each(["without a daemon", "with a daemon"])("gantry trust %s", (how) => {
  beforeAll(async () => {
    if (how === "with a daemon") await gantry(["ls"]);
    const server = { command: "/bin/sh", args: ["-c", how], fileTypes: [".txt"], rootMarkers: ["."] };
    writeFileSync(join(cwd, "lsp.json"), JSON.stringify({ mine: server }));
  });

  it("shows, trusts, lists and revokes", async () => {
    expect(existsSync(join(home, "daemon.json"))).toBe(how === "with a daemon");
    const shown = await gantry(["trust", "--show", cwd]);
    expect(shown).toMatchObject({ status: 0, stdout: expect.stringContaining(`${cwd} is not trusted.`) });
    expect(shown.stdout).toContain(`language-server mine: /bin/sh -c ${how}  (${join(cwd, "lsp.json")})`);
    expect(await show()).toMatchObject({ state: "untrusted", items: [{ kind: "language-server", trusted: false }] });
    const trusted = await gantry(["trust", "--yes"], { cwd });
    expect(trusted).toMatchObject({ status: 0, stdout: expect.stringContaining(`${cwd} is trusted now.`) });
    expect(await show()).toMatchObject({ state: "trusted" });
    const listed = await gantry(["trust", "--list", "--json"]);
    expect(JSON.parse(listed.stdout)).toMatchObject({ folders: [{ path: cwd, items: 1 }] });
    writeFileSync(join(cwd, "lsp.json"), "{}");
    expect(await show()).toMatchObject({ state: "changed" });
    expect((await gantry(["trust", "--revoke", cwd])).stdout).toBe(`${cwd} is no longer trusted.\n`);
    expect((await gantry(["trust", "--remove", cwd])).stdout).toBe(`${cwd} was not trusted.\n`);
    expect((await gantry(["trust", "--list"])).stdout).toBe("No folder is trusted.\n");
    expect(existsSync(join(home, "daemon.json"))).toBe(how === "with a daemon");
  });

  it("refuses contradictory flags and a path that is not a folder", async () => {
    expect(await gantry(["trust", "--show", "--revoke", cwd])).toMatchObject({ status: 2 });
    const missing = await gantry(["trust", join(root, "missing")]);
    expect(missing.status).not.toBe(0);
    expect(missing.stderr).toContain("is not a folder");
  });
});
