import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { bubblewrapArguments } from "./bubblewrap.ts";
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

/** Checks whether a sandbox works here; takes about 20 ms. Never rejects. */
export async function findSandbox(
  setting: SandboxSetting,
  platform = process.platform,
  path = process.env.PATH,
): Promise<Sandbox> {
  if (setting === "off") return { kind: "none", why: "The sandbox is turned off." };
  const found: Sandbox =
    platform === "linux"
      ? { kind: "bubblewrap", wrap: bubblewrapArguments }
      : platform === "darwin"
        ? { kind: "seatbelt", wrap: seatbeltArguments }
        : { kind: "none", why: `There is no sandbox for ${platform}.` };
  if (found.kind === "none") return found;
  const failure = await probe(found, path);
  if (failure === undefined) return found;
  if (found.kind === "bubblewrap") {
    const weaker: Sandbox = {
      kind: "bubblewrap",
      weaker: "The sandbox works without a user namespace here, because this machine does not allow one.",
      wrap: (command, profile, cwd) => bubblewrapArguments(command, profile, cwd, { userNamespace: false }),
    };
    if ((await probe(weaker, path)) === undefined) return weaker;
  }
  return { kind: "none", why: failure };
}

/** Runs `true` in the sandbox. Returns the reason if that fails. */
async function probe(sandbox: Exclude<Sandbox, { kind: "none" }>, path: string | undefined) {
  const [program = "", ...args] = sandbox.wrap(["true"], NOTHING, "/");
  try {
    await run(program, args, { timeout: 10_000, env: { PATH: path } });
    return undefined;
  } catch (error) {
    return reason(program, error);
  }
}

function reason(program: string, error: unknown): string {
  const { code, stderr } = error as { code?: unknown; stderr?: string };
  if (code === "ENOENT") return `There is no sandbox: ${program} is not installed.`;
  return `There is no sandbox: ${program} does not work here (${(stderr ?? String(error)).trim().split("\n")[0]}).`;
}
