import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Agent, BriefResult } from "../../contract.ts";
import { scripted } from "../../scripted/descriptor.ts";

/**
 * A simulated machine for tests: a home folder, one PATH folder in front of the system's, and programs as shell
 * scripts.
 */
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

/** The result of `converse` for a program that printed these lines. */
export function converseResult(lines: unknown[], more: Partial<BriefResult> = {}): BriefResult & { lines: unknown[] } {
  return { lines, code: null, stdout: "", stderr: "", timedOut: false, ...more };
}

/** An agent with the program `id`. Its probe accepts any version output. */
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
