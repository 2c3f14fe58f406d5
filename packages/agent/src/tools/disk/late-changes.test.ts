import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type ToolContext, ToolError } from "../../contract/tool.ts";
import type { Action, PermissionMode } from "../../permissions/action.ts";
import { decide } from "../../permissions/decide.ts";
import { applyWorkspaceEdit } from "../lsp/edits.ts";
import { changeFiles, moveFile } from "./change.ts";
import { confirmChanges, type LateChange } from "./confirm-changes.ts";
import { PinnedFolders } from "./pinned-folder.ts";

let root: string;
let cwd: string;
let outside: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "gantry-late-")));
  [cwd, outside] = [join(root, "work"), join(root, "outside")];
  for (const folder of [cwd, join(cwd, "src"), join(cwd, ".git/hooks"), outside])
    mkdirSync(folder, { recursive: true });
  writeFileSync(join(cwd, "src/a.ts"), "a");
  writeFileSync(join(outside, "secret"), "secret");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** A context whose `permit` follows the mode; a question is answered as given. */
function contextIn(mode: PermissionMode, answer: () => boolean = () => false): ToolContext {
  const permit = async (actions: readonly Action[]) => {
    const { verdict } = decide(mode, actions, { cwd, folders: [] }, [], { person: true });
    if (verdict === "deny" || (verdict === "ask" && !answer())) throw new ToolError("Not allowed.");
  };
  return { cwd, folders: [], env: {}, permit } as unknown as ToolContext;
}

const places: Record<string, () => string> = {
  "a file outside the session's folders": () => join(outside, "new"),
  "a hook of git": () => join(cwd, ".git/hooks/pre-commit"),
  "the configuration of git": () => join(cwd, ".git/config"),
  "a file through a link to a folder": () => join(cwd, "link/new"),
  "a link to a file outside": () => join(cwd, "file-link"),
  "a dangling link": () => join(cwd, "dangling"),
  "a path with parent folders": () => `${cwd}/src/../../outside/new`,
};
const addLinks = () => {
  symlinkSync(outside, join(cwd, "link"));
  symlinkSync(join(outside, "secret"), join(cwd, "file-link"));
  symlinkSync(join(outside, "new"), join(cwd, "dangling"));
};

describe("a change whose path is known late", () => {
  for (const [what, place] of Object.entries(places))
    for (const mode of ["plan", "ask", "auto-edit", "full-auto"] as const)
      for (const kind of ["file.write", "file.delete"] as const)
        it(`is refused in ${mode} mode: ${kind} of ${what}`, async () => {
          addLinks();
          const changes: LateChange[] = [{ kind, path: place() }];
          await expect(
            confirmChanges(
              changes,
              contextIn(mode, () => true),
              [],
            ),
          ).rejects.toThrow(ToolError);
        });

  it("follows the mode inside the session's folders", async () => {
    const changes: LateChange[] = [{ kind: "file.write", path: join(cwd, "src/b.ts") }];
    await expect(confirmChanges(changes, contextIn("plan"), [])).rejects.toThrow("Not allowed");
    await expect(
      confirmChanges(
        changes,
        contextIn("ask", () => false),
        [],
      ),
    ).rejects.toThrow("Not allowed");
    expect(
      await confirmChanges(
        changes,
        contextIn("ask", () => true),
        [],
      ),
    ).toEqual([join(cwd, "src/b.ts")]);
    expect(await confirmChanges(changes, contextIn("auto-edit"), [])).toEqual([join(cwd, "src/b.ts")]);
  });

  it("may leave the session's folders only where the call's permission names the path", async () => {
    const path = join(outside, "new");
    const allowed: Action[] = [{ kind: "file.write", path }];
    expect(await confirmChanges([{ kind: "file.write", path }], contextIn("auto-edit"), allowed)).toEqual([path]);
  });

  it("is refused if its path leads elsewhere after the person has answered", async () => {
    const swap = () => {
      rmSync(join(cwd, "src"), { recursive: true });
      symlinkSync(outside, join(cwd, "src"));
      return true;
    };
    const changes: LateChange[] = [{ kind: "file.write", path: join(cwd, "src/b.ts") }];
    await expect(confirmChanges(changes, contextIn("ask", swap), [])).rejects.toThrow("points to another place");
  });

  it("of a language server changes nothing if one of its files must not change", async () => {
    addLinks();
    const uri = (path: string) => `file://${path}`;
    const zero = { line: 0, character: 0 };
    const edits = [{ range: { start: zero, end: zero }, newText: "x" }];
    for (const place of Object.values(places)) {
      const context = contextIn("auto-edit");
      const confirm = (late: readonly LateChange[]) => confirmChanges(late, context, []);
      for (const edit of [
        { changes: { [uri(join(cwd, "src/a.ts"))]: edits, [uri(place())]: edits } },
        { documentChanges: [{ kind: "create" as const, uri: uri(place()) }] },
        { documentChanges: [{ kind: "rename" as const, oldUri: uri(join(cwd, "src/a.ts")), newUri: uri(place()) }] },
        { documentChanges: [{ kind: "delete" as const, uri: uri(place()) }] },
      ])
        await expect(applyWorkspaceEdit(edit, confirm, new AbortController().signal)).rejects.toThrow();
    }
    expect(readFileSync(join(cwd, "src/a.ts"), "utf8")).toBe("a");
    expect(readFileSync(join(outside, "secret"), "utf8")).toBe("secret");
    expect(existsSync(join(outside, "new"))).toBe(false);
  });
});

describe.runIf(process.platform === "linux")("a folder that is replaced by a link after the check", () => {
  const replaceFolder = () => {
    rmSync(join(cwd, "src"), { recursive: true });
    symlinkSync(outside, join(cwd, "src"));
  };

  it("is not followed by a write, a move or a deletion", async () => {
    replaceFolder();
    const path = join(cwd, "src/secret");
    const { signal } = new AbortController();
    for (const after of [Buffer.from("x"), undefined])
      await expect(changeFiles([{ path, before: Buffer.from("secret"), after }], signal)).rejects.toThrow(
        "was replaced meanwhile",
      );
    writeFileSync(join(cwd, "b"), "b");
    await expect(moveFile(join(cwd, "b"), join(cwd, "src/b"))).rejects.toThrow("was replaced meanwhile");
    expect(existsSync(join(outside, "b"))).toBe(false);
    expect(readFileSync(join(outside, "secret"), "utf8")).toBe("secret");
  });

  it("does not change where an open folder leads", () => {
    const pinned = new PinnedFolders();
    const entry = pinned.locate(join(cwd, "src/new"));
    replaceFolder();
    expect(() => writeFileSync(entry, "x")).toThrow();
    expect(existsSync(join(outside, "new"))).toBe(false);
    pinned.close();
  });
});
