import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { LoginShell } from "./login-shell.ts";
import { TestMachine } from "./testing/machine.ts";

let machine: TestMachine;
beforeEach(() => {
  machine = new TestMachine();
});
afterEach(() => machine.remove());

it("returns the PATH set by the start-up files, ignoring their output", async () => {
  machine.file("home/.profile", 'echo "Welcome back!"\nexport PATH="/made/by/profile:$PATH"\n');
  const shell = new LoginShell(machine.env({ SHELL: "/bin/sh" }));
  const folders = await shell.folders();
  expect(folders[0]).toBe("/made/by/profile");
  expect(folders).toContain("/usr/bin");
});

it("reads the shell once until `forget`", async () => {
  const program = machine.program("shell", `echo x >> "$HOME/asked"; eval "$4"`);
  const countCalls = () => readFileSync(join(machine.home, "asked"), "utf8").split("\n").length - 1;
  const shell = new LoginShell(machine.env({ SHELL: program }));
  await Promise.all([shell.folders(), shell.folders()]);
  await shell.folders();
  expect(countCalls()).toBe(1);
  shell.forget();
  await shell.folders();
  expect(countCalls()).toBe(2);
});

it("returns nothing for start-up files that hang, print garbage or fail", async () => {
  const hanging = new LoginShell(machine.env({ SHELL: machine.program("hangs", "sleep 600") }), { timeoutMs: 200 });
  expect(await hanging.folders()).toEqual([]);
  const rubbish = new LoginShell(machine.env({ SHELL: machine.program("rubbish", "echo hello; exit 3") }));
  expect(await rubbish.folders()).toEqual([]);
  const absent = new LoginShell(machine.env({ SHELL: "/nowhere/shell" }));
  expect(await absent.folders()).toEqual([]);
});
