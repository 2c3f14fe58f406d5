import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** The daemon and the token of a session. */
export type SessionToken = { url: string; token: string };

const MOST_ANCESTORS = 16;

/**
 * The token of a session, from the environment of this process or of the nearest process above it that has it. Some agents
 * start their MCP servers with a few variables only; the agent's own environment has the token in any case. No file holds it.
 */
export function findSessionToken(
  session: string,
  env: Readonly<Record<string, string | undefined>>,
): SessionToken | undefined {
  const own = tokenIn(session, env);
  if (own) return own;
  let pid = process.ppid;
  for (let level = 0; pid > 1 && level < MOST_ANCESTORS; level += 1) {
    const found = tokenIn(session, readEnvironment(pid));
    if (found) return found;
    pid = readParent(pid);
  }
  return undefined;
}

/** A token of another session is none: a session may run inside a terminal of another one. */
function tokenIn(
  session: string,
  { GANTRY_URL, GANTRY_TOKEN }: Readonly<Record<string, string | undefined>>,
): SessionToken | undefined {
  if (!GANTRY_URL || !GANTRY_TOKEN?.endsWith(`.${session}`)) return undefined;
  return { url: GANTRY_URL, token: GANTRY_TOKEN };
}

/** The two variables of a process of the same user. Empty if the system does not show them. */
function readEnvironment(pid: number): Record<string, string> {
  const text = readProcess(`/proc/${pid}/environ`) ?? askPs(pid, "command=").replaceAll(" ", "\0");
  const pairs = text.split("\0").flatMap((pair) => {
    const [, name = "", value = ""] = /^(GANTRY_URL|GANTRY_TOKEN)=(\S+)$/.exec(pair) ?? [];
    return name ? [[name, value]] : [];
  });
  return Object.fromEntries(pairs);
}

function readParent(pid: number): number {
  // The name of the program, in parentheses, may contain spaces.
  const stat = readProcess(`/proc/${pid}/stat`);
  const parent =
    stat === undefined
      ? askPs(pid, "ppid=")
      : stat
          .slice(stat.lastIndexOf(")") + 1)
          .trim()
          .split(" ")[1];
  return Number(parent) || 0;
}

function readProcess(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

/** For systems without /proc. `e` adds the environment to the command. */
function askPs(pid: number, column: string): string {
  if (process.platform === "linux") return "";
  try {
    return execFileSync("ps", ["eww", "-o", column, "-p", String(pid)], { encoding: "utf8", timeout: 2000 }).trim();
  } catch {
    return "";
  }
}
