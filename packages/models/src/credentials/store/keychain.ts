import { execFile } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import type { Environment } from "../agent-folder.ts";

/** A dialog that waits for a password must not hold up the agent for longer. */
const PATIENCE_MS = 5_000;
const SERVICE = "gantry-agent";

/** Keeps one random key for an agent's folder where the system keeps passwords. Nothing here throws. */
export interface Keychain {
  readonly name: string;
  /** The key that is there. `null`: the keychain answers and has none. `undefined`: it does not answer. */
  read(): Promise<Buffer | null | undefined>;
  /** Makes a key and reads it back: `undefined` if it did not stay. */
  make(): Promise<Buffer | undefined>;
}

type Told = { code: number; stdout: string; stderr: string };
type Program = {
  name: string;
  command: string;
  read: readonly string[];
  /** What is typed into `write` to keep the key: never an argument, which every process may see. */
  write: readonly string[];
  input(key: string): string;
  none(told: Told): boolean;
};

/** The keychain of this system, if its program is on the PATH and GANTRY_KEYCHAIN is not `off`. */
export function findKeychain(
  folder: string,
  env: Environment,
  platform: NodeJS.Platform = process.platform,
): Keychain | undefined {
  if (env.GANTRY_KEYCHAIN === "off") return undefined;
  const account = createHash("sha256").update(folder).digest("hex").slice(0, 16);
  const program = platform === "darwin" ? macos(account) : platform === "linux" ? linux(account) : undefined;
  if (!program || !onPath(program.command, env)) return undefined;
  const read = async () => {
    const told = await run(program.command, program.read, env);
    if (told.code === 0) return decode(told.stdout);
    return program.none(told) ? null : undefined;
  };
  const make = async () => {
    const key = randomBytes(32);
    const told = await run(program.command, program.write, env, program.input(key.toString("base64")));
    if (told.code !== 0) return undefined;
    return (await read()) ?? undefined;
  };
  return { name: program.name, read, make };
}

function linux(account: string): Program {
  const item = ["service", SERVICE, "account", account];
  return {
    name: "Secret Service",
    command: "secret-tool",
    read: ["lookup", ...item],
    write: ["store", "--label=Gantry agent credentials", ...item],
    input: (key) => key,
    none: ({ code, stderr }) => code === 1 && stderr.trim() === "",
  };
}

function macos(account: string): Program {
  return {
    name: "macOS keychain",
    command: "security",
    read: ["find-generic-password", "-s", SERVICE, "-a", account, "-w"],
    write: ["-i"],
    input: (key) => `add-generic-password -U -s ${SERVICE} -a ${account} -w ${key}\n`,
    none: ({ code }) => code === 44,
  };
}

function decode(text: string): Buffer | undefined {
  const key = Buffer.from(text.trim(), "base64");
  return key.length === 32 ? key : undefined;
}

function onPath(command: string, env: Environment): boolean {
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

function run(command: string, args: readonly string[], env: Environment, input = ""): Promise<Told> {
  return new Promise((resolve) => {
    const child = execFile(
      command,
      args,
      { env, timeout: PATIENCE_MS, killSignal: "SIGKILL" },
      (error, stdout, stderr) =>
        resolve({ code: error ? (typeof error.code === "number" ? error.code : -1) : 0, stdout, stderr }),
    );
    // A program that ends without reading closes the pipe under us; its exit code says enough.
    child.stdin?.on("error", () => {});
    child.stdin?.end(input);
  });
}
