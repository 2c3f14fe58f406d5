import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TrustItem } from "@gantry/trust";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { resolveFolders, usableFolders } from "./extra-folders.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "gantry-folders-")));
const userHome = join(root, "me");
const places = { home: join(userHome, ".gantry"), userHome };
const at = (path: string) => join(root, path);
const nothing = () => [];
const item: TrustItem = { kind: "agent-config", name: "Some", file: "/x/.mcp.json", command: ".mcp.json", hash: "h" };

beforeAll(() => {
  for (const path of ["me/.gantry/spool", "me/.ssh", "me/.config/gh", "me/work/docs", "data/inner", "project"])
    mkdirSync(at(path), { recursive: true });
  symlinkSync(at("me/.ssh"), at("innocent"));
  symlinkSync(at("data"), at("link"));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

describe("the folders of a request", () => {
  it("are stored with links resolved, once each", () => {
    const folders = resolveFolders([at("link"), at("data"), at("me/work/docs")], places, nothing);
    expect(folders).toEqual([at("data"), at("me/work/docs")]);
  });

  it.each(["me/.gantry", "me/.gantry/spool", "me/.ssh", "me/.config/gh", "me/.config", "me", "innocent", "."])(
    "are refused if they are, contain or lie in a protected folder: %s",
    (path) => {
      expect(() => resolveFolders([at(path)], places, nothing)).toThrow(
        expect.objectContaining({ code: "not_permitted" }),
      );
    },
  );

  it.each(["/", "/etc", "/root/.ssh", "/home/other/.aws"])("are refused for credentials of the machine: %s", (path) => {
    expect(() => resolveFolders([path], places, nothing)).toThrow(/credentials|own folder|not a folder/);
  });

  it.each(["relative", "", "~/x"])("must be absolute: %s", (path) => {
    expect(() => resolveFolders([path], places, nothing)).toThrow(expect.objectContaining({ code: "invalid" }));
  });

  it("must exist, and must be trusted if they make the agent run code", () => {
    expect(() => resolveFolders([at("nowhere")], places, nothing)).toThrow(/is not a folder/);
    expect(() => resolveFolders([at("data")], places, () => [item])).toThrow(
      expect.objectContaining({
        code: "untrusted",
        message: expect.stringContaining(".mcp.json"),
        details: expect.objectContaining({ path: at("data") }),
      }),
    );
  });
});

describe("the folders of a process", () => {
  const cwd = at("project");
  const usable = (folders: string[], withheld: (folder: string) => TrustItem[] = nothing) =>
    usableFolders({ folders, cwd }, places, withheld);

  it("leave out what is inside of the session's folder", () => {
    expect(usable([at("project"), at("data")])).toEqual({ folders: [at("data")], notices: [] });
  });

  it("leave out a folder that is gone, became a link, or has untrusted code, each with a notice", () => {
    const { folders, notices } = usable([at("nowhere"), at("innocent"), at("link"), at("data")]);
    expect(folders).toEqual([at("data")]);
    expect(notices).toHaveLength(3);
    expect(notices[0]).toMatch(/without the folder .*nowhere: it does not exist/);
    expect(notices[1]).toMatch(/is a link to .*\.ssh now/);
    const untrusted = usable([at("data")], () => [item]);
    expect(untrusted.folders).toEqual([]);
    expect(untrusted.notices[0]).toMatch(/have not trusted.*gantry trust/);
  });
});
