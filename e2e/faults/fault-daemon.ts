import { mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Client } from "@gantry/client";
import { createClient } from "@gantry/client";
import {
  type FaultProtocol,
  type ScriptedModel,
  SWITCH_FILE,
  startScriptedModel,
  writeFaultAgent,
} from "@gantry/testkit";
import { type DaemonProcess, gantryProgram, startDaemonProcess } from "../harness/daemon-process.ts";
import { gantryTargets } from "../targets/gantry.ts";

const FLAGS = ["--disable-warning=ExperimentalWarning"];

/** Short waits, long enough for a slow machine to start an agent. */
const CONFIG = `deadlines:
  handshakeSeconds: 20
  firstOutputSeconds: 12
  turnSeconds: 25
  interruptSeconds: 2
  lostOutputSeconds: 3
  stopSeconds: 1
`;

/** A daemon with the fault agents, in a temporary folder. */
export class FaultDaemon {
  readonly root = mkdtempSync(join(tmpdir(), "gantry-faults-"));
  readonly #env: Record<string, string>;
  #process: DaemonProcess | undefined;
  #model: ScriptedModel | undefined;
  #client: Client | undefined;
  #folders = 0;

  constructor() {
    const home = join(this.root, "gantry");
    const bin = join(this.root, "bin");
    mkdirSync(join(home, "agents"), { recursive: true, mode: 0o700 });
    writeFileSync(join(home, "config.yml"), CONFIG);
    writeFileSync(
      join(home, "agents", "fault.yml"),
      `id: fault\nextends: acp\ncommand: [${JSON.stringify(writeFaultAgent(bin, "acp"))}]\n`,
    );
    this.#env = {
      PATH: process.env.PATH ?? "",
      HOME: this.root,
      GANTRY_HOME: home,
      GANTRY_SCRIPTED_BIN: writeFaultAgent(bin, "scripted"),
      GANTRY_CLAUDE_BIN: writeFaultAgent(bin, "claude"),
      GANTRY_CODEX_BIN: writeFaultAgent(bin, "codex"),
      GANTRY_AMP_BIN: writeFaultAgent(bin, "amp"),
      GANTRY_GANTRY_BIN: writeFaultAgent(bin, "gantry", [process.execPath, ...FLAGS, gantryProgram(), "agent"]),
    };
  }

  get client(): Client {
    if (!this.#client) throw new Error("the daemon does not run");
    return this.#client;
  }

  get url(): string {
    return this.#process?.url ?? "";
  }

  get pid(): number {
    return this.#process?.pid ?? 0;
  }

  async start(): Promise<void> {
    // The own agent is the real one, so that it needs a model.
    if (!this.#model) {
      this.#model = await startScriptedModel();
      Object.assign(this.#env, gantryTargets[0]?.own?.environment(this.root, this.#model.url));
    }
    this.#process = await startDaemonProcess(this.#env);
    this.#client = createClient({ url: this.#process.url, token: this.#process.token });
  }

  /** Kills the daemon with SIGKILL and starts another on the same home. */
  async restart(): Promise<void> {
    await this.#process?.end("SIGKILL");
    await this.start();
  }

  /** A working folder whose agent has these switches. */
  createFolder(switches: readonly string[]): string {
    const folder = join(this.root, `case-${++this.#folders}`);
    mkdirSync(folder);
    writeFileSync(join(folder, SWITCH_FILE), switches.join("\n"));
    return folder;
  }

  async dispose(): Promise<void> {
    await this.#process?.end("SIGTERM");
    await this.#model?.close();
    for (const { pid } of processesBelow(this.root)) killQuietly(pid);
    rmSync(this.root, { recursive: true, force: true });
  }
}

export function agentOf(protocol: FaultProtocol): string {
  return protocol === "acp" ? "fault" : protocol;
}

/** Every running process whose working folder is the folder or below it. */
export function processesBelow(folder: string): { pid: number; command: string }[] {
  return readdirSync("/proc").flatMap((name) => {
    const pid = Number(name);
    if (!Number.isInteger(pid)) return [];
    try {
      const cwd = readlinkSync(`/proc/${pid}/cwd`);
      if (cwd !== folder && !cwd.startsWith(`${folder}/`)) return [];
      return [{ pid, command: readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim() }];
    } catch {
      return [];
    }
  });
}

function killQuietly(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended.
  }
}
