import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Agent, Ran } from "../contract.ts";
import { scripted } from "../scripted/descriptor.ts";

/** A made-up machine for tests: a home folder, a PATH of one folder beside the system's, programs as shell scripts. */
export class TestMachine {
  readonly root = mkdtempSync(join(tmpdir(), "gantry-machine-"));
  readonly home = join(this.root, "home");
  readonly bin = join(this.root, "bin");

  constructor() {
    mkdirSync(this.home);
    mkdirSync(this.bin);
  }

  env(more: Record<string, string> = {}): Record<string, string> {
    return { HOME: this.home, PATH: `${this.bin}:/usr/bin:/bin`, SHELL: "/bin/false", ...more };
  }

  /** Writes an executable script; a relative path is under the root. */
  program(path: string, script = "echo 1.2.3"): string {
    const whole = this.file(path, `#!/bin/sh\n${script}\n`);
    chmodSync(whole, 0o755);
    return whole;
  }

  file(path: string, text: string): string {
    const whole = join(this.root, path);
    mkdirSync(dirname(whole), { recursive: true });
    writeFileSync(whole, text);
    return whole;
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}

/** What a conversation of a probe gives when these lines were all that the program had to say. */
export function conversed(lines: unknown[], more: Partial<Ran> = {}): Ran & { lines: unknown[] } {
  return { lines, code: null, stdout: "", stderr: "", timedOut: false, ...more };
}

/** An agent whose program is called `id` and that takes whatever `probe` says. */
export function testAgent(id: string, more: Partial<Agent> = {}): Agent {
  return {
    ...scripted,
    builtin: undefined,
    id,
    name: `Agent ${id}`,
    find: { bin: [id], env: `GANTRY_${id.toUpperCase()}_BIN` },
    install: { command: `npm install -g ${id}` },
    login: [id, "login"],
    async probe(tools) {
      const { stdout } = await tools.run(["--version"]);
      return { ok: true, version: stdout.trim(), auth: { state: "ok", how: "a key" }, problems: [] };
    },
    ...more,
  };
}
