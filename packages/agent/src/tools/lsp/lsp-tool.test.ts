import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { openTrustStore } from "@gantry/trust";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findProjectCode } from "../../start/project/project-code.ts";
import { openProjectTrust } from "../../trust/project-trust.ts";
import { type Exec, startExec } from "../testing/exec-context.ts";
import { handlesFile, readLspConfig } from "./config.ts";
import { applyEdits } from "./edits.ts";
import { BUILT_IN } from "./servers.ts";

const bin = join(import.meta.dirname, "../../../../../node_modules/.bin");
let exec: Exec;
beforeEach(() => {
  exec = startExec({ sandbox: "off" });
});
afterEach(() => exec.close());

function write(path: string, text: string): void {
  mkdirSync(dirname(join(exec.cwd, path)), { recursive: true });
  writeFileSync(join(exec.cwd, path), text);
}
const lsp = async (args: Record<string, unknown>) => (await exec.call("lsp", { timeout: 60, ...args })).text;

/** TypeScript's own server, which is part of the compiler package. */
function typescriptProject(): void {
  const server = {
    command: join(bin, "tsc"),
    args: ["--lsp", "--stdio"],
    fileTypes: [".ts"],
    rootMarkers: ["tsconfig.json"],
    warmupTimeoutMs: 60_000,
  };
  const servers = { "typescript-language-server": { disabled: true }, native: server };
  write(".gantry/agent/lsp.json", JSON.stringify({ servers }));
  write(
    "tsconfig.json",
    JSON.stringify({
      compilerOptions: { strict: true, module: "nodenext", noEmit: true, allowImportingTsExtensions: true },
    }),
  );
  write("a.ts", "export function greet(name: string): string {\n  return name;\n}\n");
  write(
    "b.ts",
    'import { greet } from "./a.ts";\n\nconst wrong: number = greet("x");\nconsole.log(greet("y"), wrong);\n',
  );
}

describe("lsp with a real server", () => {
  beforeEach(typescriptProject);

  it("finds errors, positions, types and symbols", async () => {
    expect(await lsp({ action: "status" })).toMatch(/^native \(.*tsc\): not started yet/);
    expect(await lsp({ action: "diagnostics", file: "b.ts" })).toMatch(
      /^b\.ts:3:7: error: .*not assignable to type 'number'/,
    );
    expect(await lsp({ action: "definition", file: "b.ts", line: 4, symbol: "greet" })).toBe(
      "a.ts:1:17: export function greet(name: string): string {",
    );
    expect((await lsp({ action: "references", file: "a.ts", line: 1, symbol: "greet" })).split("\n").length).toBe(4);
    expect(await lsp({ action: "hover", file: "b.ts", line: 3, symbol: "wrong" })).toContain("number");
    expect(await lsp({ action: "symbols", file: "a.ts" })).toContain("function greet:1");
    expect(await lsp({ action: "capabilities", file: "a.ts" })).toContain("native: {");
    expect(await lsp({ action: "status" })).toContain("running");
  });

  it("renames in all files, and sees later writes", async () => {
    expect(
      await lsp({ action: "rename", file: "a.ts", line: 1, symbol: "greet", new_name: "hail", apply: false }),
    ).toContain("It would change:");
    expect(readFileSync(join(exec.cwd, "b.ts"), "utf8")).toContain("greet");
    await lsp({ action: "rename", file: "a.ts", line: 1, symbol: "greet", new_name: "hail" });
    expect(readFileSync(join(exec.cwd, "b.ts"), "utf8")).toBe(
      'import { hail } from "./a.ts";\n\nconst wrong: number = hail("x");\nconsole.log(hail("y"), wrong);\n',
    );
    expect(readFileSync(join(exec.cwd, "a.ts"), "utf8")).toContain("function hail(");
    write("b.ts", "export const fine: number = 1;\n");
    expect(await lsp({ action: "diagnostics", file: "b.ts" })).toBe("No problems found.");
    expect(await exec.afterWrite(join(exec.cwd, "b.ts"))).toBeUndefined();
    write("b.ts", "export const bad: number = 'x';\n");
    expect(await exec.afterWrite(join(exec.cwd, "b.ts"))).toMatch(/^Diagnostics:\nb\.ts:1:14: error/);
  });

  it("moves a file, updates the references to it, and applies code actions", async () => {
    expect(await lsp({ action: "rename_file", file: "a.ts", new_name: "lib/hello.ts" })).toContain(
      "Renamed to lib/hello.ts.",
    );
    expect(readFileSync(join(exec.cwd, "b.ts"), "utf8")).toMatch(/from "\.\/lib\/hello/);
    await expect(lsp({ action: "rename_file", file: "b.ts", new_name: "lib/hello.ts" })).rejects.toThrow(
      "already exists",
    );
    write("c.ts", "console.log(greet('z'));\n");
    const place = { file: "c.ts", line: 1, symbol: "greet" };
    const offered = await lsp({ action: "code_actions", ...place });
    expect(offered).toMatch(/^1\. .*import/im);
    expect(readFileSync(join(exec.cwd, "c.ts"), "utf8")).not.toContain("import");
    await lsp({ action: "code_actions", ...place, query: "import", apply: true });
    expect(readFileSync(join(exec.cwd, "c.ts"), "utf8")).toMatch(/^import \{ greet \} from/);
    await expect(lsp({ action: "code_actions", ...place, apply: true })).rejects.toThrow("Choose one with `query`");
  });

  it("formats a file, checks the whole project, and sends raw requests", async () => {
    write("b.ts", "export   const  fine:number=1;\n");
    expect(await exec.afterWrite(join(exec.cwd, "b.ts"), { format: true })).toContain("native formatted the file");
    expect(readFileSync(join(exec.cwd, "b.ts"), "utf8")).toBe("export const fine: number = 1;\n");
    expect(await lsp({ action: "symbols", query: "greet" })).toContain("function greet a.ts:1");
    const payload = JSON.stringify({ textDocument: { uri: pathToFileURL(join(exec.cwd, "a.ts")).href } });
    expect(await lsp({ action: "request", file: "a.ts", query: "textDocument/foldingRange", payload })).toContain(
      "startLine",
    );
    await expect(lsp({ action: "request", file: "a.ts", query: "x/y", payload: "{" })).rejects.toThrow(
      "not valid JSON",
    );
    expect(await lsp({ action: "diagnostics", file: "*.ts" })).toBe("No problems found.");
  });

  it("reports errors in its arguments", async () => {
    await expect(lsp({ action: "hover", file: "none.ts", line: 1 })).rejects.toThrow("There is no file none.ts.");
    await expect(lsp({ action: "hover", file: "a.ts", line: 1, symbol: "absent" })).rejects.toThrow(
      "Line 1 does not have absent",
    );
    await expect(lsp({ action: "hover", file: "a.ts", line: 99 })).rejects.toThrow("The file has no line 99.");
    await expect(lsp({ action: "rename", file: "a.ts", line: 1, symbol: "greet" })).rejects.toThrow(
      "This needs `new_name`.",
    );
    write("x.zig", "");
    await expect(lsp({ action: "hover", file: "x.zig", line: 1 })).rejects.toThrow(
      "There is no language server for x.zig here.",
    );
  });
});

describe("servers that fail", () => {
  it("are reported, and not retried before a reload", async () => {
    write("tsconfig.json", "{}");
    write("a.ts", "");
    write("bin/dies", "#!/bin/sh\necho started >> count\necho 'no licence' >&2\nexit 3\n");
    chmodSync(join(exec.cwd, "bin/dies"), 0o755);
    const command = join(exec.cwd, "bin/dies");
    write(
      ".gantry/agent/lsp.yaml",
      `servers:\n  mine: { command: ${command}, fileTypes: [.ts], rootMarkers: [tsconfig.json] }\n`,
    );
    await expect(lsp({ action: "hover", file: "a.ts", line: 1 })).rejects.toThrow(
      /mine did not start: mine: it ended with code 3/,
    );
    await expect(lsp({ action: "hover", file: "a.ts", line: 1 })).rejects.toThrow(/mine did not start/);
    expect(readFileSync(join(exec.cwd, "count"), "utf8")).toBe("started\n");
    await lsp({ action: "reload" });
    await expect(lsp({ action: "hover", file: "a.ts", line: 1 })).rejects.toThrow();
    expect(readFileSync(join(exec.cwd, "count"), "utf8")).toBe("started\nstarted\n");
  });
});

describe("configuration", () => {
  const trustProject = async () => {
    const place = { home: join(exec.cwd, "home"), agentDir: join(exec.cwd, "home/.gantry/agent"), path: "" };
    const places = { ...place, cwd: join(exec.cwd, "p") };
    openTrustStore(join(places.home, ".gantry")).trust(places.cwd, await findProjectCode(places));
    return { ...places, trust: openProjectTrust(places) };
  };

  it("has the 52 built-in servers", () => {
    expect(Object.keys(BUILT_IN)).toHaveLength(52);
    expect(
      Object.entries(BUILT_IN)
        .filter(([, { isLinter }]) => isLinter)
        .map(([name]) => name),
    ).toEqual(["biome", "eslint", "ruff", "rubocop", "swiftlint"]);
    expect(handlesFile(BUILT_IN.dockerls!, "/x/Dockerfile")).toBe(true);
    expect(handlesFile(BUILT_IN.gopls!, "/x/a.rs")).toBe(false);
  });

  it("is merged from all files, the nearest taking precedence, and requires the marker and the program", async () => {
    write("p/go.mod", "");
    write("p/node_modules/.bin/gopls", "");
    chmodSync(join(exec.cwd, "p/node_modules/.bin/gopls"), 0o755);
    write("home/.lsp.json", '{"gopls":{"args":["home"]},"idleTimeoutMs":1}');
    write("home/.gantry/agent/lsp.yml", "servers: { gopls: { args: [agent], settings: { a: 1 } } }");
    write("p/.gantry/lsp.yaml", "gopls: { args: [project] }");
    const one = await readLspConfig(await trustProject());
    expect(one).toMatchObject({ idleTimeoutMs: 1, problems: [] });
    expect(one.servers).toMatchObject([
      {
        name: "gopls",
        args: ["project"],
        settings: { a: 1 },
        resolvedCommand: join(exec.cwd, "p/node_modules/.bin/gopls"),
      },
    ]);
    write("p/lsp.json", '{"servers":{"gopls":{"disabled":true},"mine":{"command":"x"}}}');
    const two = await readLspConfig(await trustProject());
    expect(two.servers).toEqual([]);
    expect(two.problems).toEqual([expect.stringContaining("mine")]);
    write("p/lsp.json", "{ nonsense");
    expect((await readLspConfig(await trustProject())).problems[0]).toContain("p/lsp.json");
  });
});

describe("the wire and edits", () => {
  it("applies all edits against the original text", () => {
    const range = (a: number, b: number, c: number, d: number) => ({
      start: { line: a, character: b },
      end: { line: c, character: d },
    });
    expect(
      applyEdits("one\ntwo\nthree", [
        { range: range(0, 0, 0, 3), newText: "1" },
        { range: range(1, 0, 2, 0), newText: "" },
        { range: range(9, 0, 9, 0), newText: "!" },
      ]),
    ).toBe("1\nthree!");
    expect(
      applyEdits("ab", [
        { range: range(0, 1, 0, 1), newText: "x" },
        { range: range(0, 1, 0, 1), newText: "y" },
      ]),
    ).toBe("axyb");
  });
});
