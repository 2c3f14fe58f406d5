/** The fixed paths inside the jail. Nothing of the machine is visible there under these names. */
export const HOME = "/home/me";
export const GANTRY = `${HOME}/.gantry`;
export const REPO = `${HOME}/repo`;
/** A linked worktree of the repository, a folder without a repository, and a folder outside of the session. */
export const TREE = `${HOME}/tree`;
export const PLAIN = `${HOME}/plain`;
export const ELSEWHERE = `${HOME}/else`;

/** Every secret in the jail contains this text. A probe that prints it has escaped. */
export const CANARY = "CANARY-5b1f0c";

export type ProbeMode = "plan" | "ask" | "auto-edit" | "full-auto";

/**
 * One attempt to reach something outside of the sandbox, as a command of the own agent. It has escaped if it prints the
 * canary, changes a watched file, or reaches a listener.
 */
export type Probe = {
  name: string;
  class: string;
  command: string;
  /** Default: `DEFAULT_MODES`, the strictest and the freest. */
  modes?: readonly ProbeMode[];
  /** Default: the repository. */
  cwd?: string;
  /** The command itself must not succeed. */
  mustFail?: true;
  /** Passed to the tool for this command. */
  env?: Record<string, string>;
  /** Runs in a terminal. */
  pty?: true;
  /** Makes this path a listener (`socket`) or a named pipe with a reader (`fifo`) after the command has started. */
  late?: { kind: "socket" | "fifo"; path: string };
  /** Needs a command for itself. */
  alone?: true;
  /** Runs in the kernel of this language instead of bash. */
  language?: "js" | "py";
};

export const DEFAULT_MODES: readonly ProbeMode[] = ["plan", "full-auto"];
export const ALL_MODES: readonly ProbeMode[] = ["plan", "ask", "auto-edit", "full-auto"];
export const WRITING: readonly ProbeMode[] = ["auto-edit", "full-auto"];
export const WITHOUT_NETWORK: readonly ProbeMode[] = ["plan", "auto-edit"];

/** Defaults for the probes of one class. */
export function probesOf(about: string, probes: readonly Omit<Probe, "class">[]): Probe[] {
  return probes.map((probe) => ({ ...probe, class: about }));
}

/** A program that connects to a socket; `\\0` starts the name of an abstract one. */
export function connectTo(path: string): string {
  return `node -e 'const s=require("net").connect({path:${JSON.stringify(path)}});s.on("connect",()=>{s.write("x");setTimeout(()=>process.exit(0),50)});s.on("error",()=>process.exit(7))'`;
}

/** A system call by its number on x86-64; arm64 machines skip nothing, but test another call. */
export function systemCall(number: number, ...args: readonly (number | string)[]): string {
  return `perl -e 'exit(syscall(${[number, ...args].join(", ")}) < 0 ? 1 : 0)'`;
}
