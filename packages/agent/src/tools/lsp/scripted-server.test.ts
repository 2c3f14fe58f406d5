import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type Exec, startExec } from "../testing/exec-context.ts";

const program = join(import.meta.dirname, "testing/scripted-server.fake.ts");
let exec: Exec;
beforeEach(() => {
  exec = startExec({ sandbox: "off" });
  writeFileSync(join(exec.cwd, "marker"), "");
  writeFileSync(join(exec.cwd, "a.txt"), "one two\n");
});
afterEach(() => exec.close());

const lsp = async (args: Record<string, unknown>) => (await exec.call("lsp", { timeout: 60, ...args })).text;
const server = (more: Record<string, unknown> = {}, ...args: string[]) => ({
  command: process.execPath,
  args: [program, ...args],
  fileTypes: [".txt"],
  rootMarkers: ["mark*"],
  warmupTimeoutMs: 60_000,
  ...more,
});
/** In the user's own file, which needs no trust. */
const configure = (servers: Record<string, unknown>, more: Record<string, unknown> = {}) => {
  const folder = join(exec.cwd, ".gantry/agent");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "lsp.json"), JSON.stringify({ servers, ...more }));
};
const hover = { action: "hover", file: "a.txt", line: 1 };

it("a server receives its options and settings, whole and by section", async () => {
  const settings = { deep: { inner: { on: true } } };
  configure({ mine: server({ initOptions: { fast: 1 }, settings }, "mine") });
  expect(JSON.parse(await lsp(hover))).toEqual({
    args: ["mine"],
    initOptions: { fast: 1 },
    settings,
    asked: [{ on: true }, null, settings],
  });
});

it("a linter only reports problems and receives no other requests", async () => {
  configure({ lint: server({ isLinter: true }, "lint"), types: server({}, "types") });
  expect(JSON.parse(await lsp(hover)).args).toEqual(["types"]);
  const found = await lsp({ action: "diagnostics", file: "a.txt" });
  for (const name of ["lint", "types"]) expect(found).toContain(`a.txt:1:1: error: seen by ${name} (${name})`);
  expect(await lsp({ action: "diagnostics", file: "*.txt" })).toContain("seen by lint");
  configure({ lint: server({ isLinter: true }, "lint") });
  await lsp({ action: "reload" });
  await expect(lsp(hover)).rejects.toThrow("There is no language server for a.txt here.");
});

it("an idle server is ended, and restarted on demand", async () => {
  const note = join(exec.cwd, "note");
  configure({ mine: server({}, "mine", note) }, { idleTimeoutMs: 20 });
  await lsp(hover);
  while (!existsSync(note)) await pause(20);
  while ((await lsp({ action: "status" })).includes("running")) await pause(20);
  expect(JSON.parse(await lsp(hover)).args[0]).toBe("mine");
});

it("a server that does not start in time is reported", async () => {
  configure({ mute: { ...server(), command: "/bin/sleep", args: ["600"], warmupTimeoutMs: 100 } });
  await expect(lsp(hover)).rejects.toThrow("mute did not start: mute did not answer initialize within 0.1 s.");
});

it("a server changes files only where the session may", async () => {
  configure({ mine: server() });
  const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 3 } };
  const execute = (path: string) => {
    const edit = { changes: { [pathToFileURL(path).href]: [{ range, newText: "1" }] } };
    const payload = JSON.stringify({ command: "change", arguments: [edit] });
    return lsp({ action: "request", query: "workspace/executeCommand", file: "a.txt", payload });
  };
  const inside = join(exec.cwd, "a.txt");
  expect(await execute(inside)).toContain('"applied": true');
  expect(readFileSync(inside, "utf8")).toBe("1 two\n");
  expect(await execute("/etc/hostname")).toContain("outside the writable folders");
  symlinkSync("/etc/hostname", join(exec.cwd, "link"));
  expect(await execute(join(exec.cwd, "link"))).toContain("outside the writable folders");
  exec.mode = "plan";
  expect(await execute(inside)).toContain("Plan mode only reads.");
  expect(readFileSync(inside, "utf8")).toBe("1 two\n");
});

it("a file is formatted after a write if that is configured", async () => {
  configure({ mine: server({}, "mine") });
  const path = join(exec.cwd, "a.txt");
  expect(await exec.afterWrite(path)).toBe("Diagnostics:\na.txt:1:1: error: seen by mine (mine)");
  expect(readFileSync(path, "utf8")).toBe("one two\n");
  const note = "[mine formatted the file: its lines may differ from what you wrote.]";
  expect(await exec.afterWrite(path, { format: true, diagnostics: false })).toBe(note);
  expect(readFileSync(path, "utf8")).toBe("SHAPED two\n");
});
