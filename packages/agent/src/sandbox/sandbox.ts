import { execFile } from "node:child_process";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { isProgram } from "../permissions/paths.ts";
import { type BubblewrapOptions, bubblewrapArguments } from "./bubblewrap.ts";
import type { SandboxProfile } from "./profile.ts";
import { seatbeltArguments } from "./seatbelt.ts";

/** The mechanism that enforces profiles on this machine. `none` explains why there is none. */
export type Sandbox =
  | {
      kind: "bubblewrap" | "seatbelt";
      /** A protection that this machine lacks. */
      weaker?: string;
      wrap(command: readonly string[], profile: SandboxProfile, cwd: string): string[];
    }
  | { kind: "none"; why: string };

/** `required`: without a sandbox nothing is run. */
export type SandboxSetting = "auto" | "required" | "off";

const run = promisify(execFile);
const NOTHING: SandboxProfile = { writable: [], network: false, hidden: [] };

/** Ways to use bubblewrap, the strongest first. Some containers and older kernels refuse a part. */
const WAYS: readonly (BubblewrapOptions & { lacks?: string })[] = [
  {},
  { starter: false, lacks: "Landlock" },
  { userNamespace: false, lacks: "a user namespace" },
  {
    userNamespace: false,
    starter: false,
    filter: false,
    lacks: "a user namespace, Landlock and a filter of system calls",
  },
];

/** Checks whether a sandbox works here; takes about 20 ms. Never rejects. */
export async function findSandbox(
  setting: SandboxSetting,
  platform = process.platform,
  path = process.env.PATH,
): Promise<Sandbox> {
  if (setting === "off") return { kind: "none", why: "The sandbox is turned off." };
  if (platform === "linux") return await findBubblewrap(path);
  if (platform !== "darwin") return { kind: "none", why: `There is no sandbox for ${platform}.` };
  const seatbelt: Sandbox = { kind: "seatbelt", wrap: seatbeltArguments };
  const failure = await probe(seatbelt, path);
  return failure === undefined ? seatbelt : { kind: "none", why: failure };
}

async function findBubblewrap(path = ""): Promise<Sandbox> {
  const programs = path.split(delimiter).map((folder) => join(folder || ".", "bwrap"));
  const program = programs.find(isProgram);
  if (program === undefined) return { kind: "none", why: "There is no sandbox: bwrap is not installed." };
  let firstFailure: string | undefined;
  for (const { lacks, ...options } of WAYS) {
    const sandbox: Sandbox = {
      kind: "bubblewrap",
      ...(lacks && { weaker: `The sandbox works without ${lacks} here, because this machine does not allow it.` }),
      wrap: (command, profile, cwd) => bubblewrapArguments(command, profile, cwd, { ...options, program }),
    };
    const failure = await probe(sandbox, path);
    if (failure === undefined) return sandbox;
    firstFailure ??= failure;
  }
  return { kind: "none", why: firstFailure ?? "There is no sandbox." };
}

/** Runs `true` in the sandbox. Returns the reason if that fails. */
async function probe(sandbox: Exclude<Sandbox, { kind: "none" }>, path: string | undefined) {
  const [program = "", ...args] = sandbox.wrap(["true"], NOTHING, "/");
  try {
    await run(program, args, { timeout: 10_000, env: { PATH: path } });
    return undefined;
  } catch (error) {
    return reason(sandbox.kind === "bubblewrap" ? "bwrap" : program, error);
  }
}

function reason(program: string, error: unknown): string {
  const { code, stderr } = error as { code?: unknown; stderr?: string };
  if (code === "ENOENT") return `There is no sandbox: ${program} is not installed.`;
  return `There is no sandbox: ${program} does not work here (${(stderr ?? String(error)).trim().split("\n")[0]}).`;
}
