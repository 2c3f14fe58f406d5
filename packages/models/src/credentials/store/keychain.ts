import { execFile } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import type { Environment } from "../environment.ts";

/** Limits how long a password dialog of the keychain can block the agent. */
const TIMEOUT_MS = 5_000;
const SERVICE = "gantry-agent";

/** Stores one random key per agent folder in the system's keychain. Never throws. */
export interface Keychain {
  readonly name: string;
  /** The stored key. `null`: the keychain has none. `undefined`: the keychain is not available. */
  read(): Promise<Buffer | null | undefined>;
  /** Creates a key and reads it back. `undefined`: it was not stored. */
  make(): Promise<Buffer | undefined>;
}

type ProcessResult = { code: number; stdout: string; stderr: string };
type Program = {
  name: string;
  command: string;
  read: readonly string[];
  /** Standard input of `write`. The key is never an argument, because arguments are visible to other processes. */
  write: readonly string[];
  input(key: string): string;
  hasNoKey(result: ProcessResult): boolean;
};

/** The system's keychain, if its command is on the PATH and GANTRY_KEYCHAIN is not `off`. */
export function findKeychain(
  folder: string,
  env: Environment,
  platform: NodeJS.Platform = process.platform,
): Keychain | undefined {
  if (env.GANTRY_KEYCHAIN === "off") return undefined;
  const account = createHash("sha256").update(folder).digest("hex").slice(0, 16);
  const program =
    platform === "darwin" ? macosProgram(account) : platform === "linux" ? linuxProgram(account) : undefined;
  if (!program || !isOnPath(program.command, env)) return undefined;
  const read = async () => {
    const result = await runProgram(program.command, program.read, env);
    if (result.code === 0) return decodeKey(result.stdout);
    return program.hasNoKey(result) ? null : undefined;
  };
  const make = async () => {
    const key = randomBytes(32);
    const result = await runProgram(program.command, program.write, env, program.input(key.toString("base64")));
    if (result.code !== 0) return undefined;
    return (await read()) ?? undefined;
  };
  return { name: program.name, read, make };
}

function linuxProgram(account: string): Program {
  const item = ["service", SERVICE, "account", account];
  return {
    name: "Secret Service",
    command: "secret-tool",
    read: ["lookup", ...item],
    write: ["store", "--label=Gantry agent credentials", ...item],
    input: (key) => key,
    hasNoKey: ({ code, stderr }) => code === 1 && stderr.trim() === "",
  };
}

function macosProgram(account: string): Program {
  return {
    name: "macOS keychain",
    command: "security",
    read: ["find-generic-password", "-s", SERVICE, "-a", account, "-w"],
    write: ["-i"],
    input: (key) => `add-generic-password -U -s ${SERVICE} -a ${account} -w ${key}\n`,
    hasNoKey: ({ code }) => code === 44,
  };
}

function decodeKey(text: string): Buffer | undefined {
  const key = Buffer.from(text.trim(), "base64");
  return key.length === 32 ? key : undefined;
}

function isOnPath(command: string, env: Environment): boolean {
  return (env.PATH ?? "").split(delimiter).some((folder) => {
    if (!folder) return false;
    try {
      accessSync(join(folder, command), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

function runProgram(command: string, args: readonly string[], env: Environment, input = ""): Promise<ProcessResult> {
  return new Promise((resolve) => {
    const child = execFile(
      command,
      args,
      { env, timeout: TIMEOUT_MS, killSignal: "SIGKILL" },
      (error, stdout, stderr) =>
        resolve({ code: error ? (typeof error.code === "number" ? error.code : -1) : 0, stdout, stderr }),
    );
    // A program that exits without reading its input closes the pipe (EPIPE). Its exit code is reported.
    child.stdin?.on("error", () => {});
    child.stdin?.end(input);
  });
}
