/** How the process of the agent ended. `stderr` is the end of its output. */
export type AgentExit = { code: number | null; signal: NodeJS.Signals | null; stderr: string };

/**
 * Why a request of an `RpcClient` failed. `refused`: the agent answered with an error, which may have `details`. `exit`:
 * the agent has ended. `timeout`: no answer came in time; the command may still take effect. `closed`: the client was
 * closed.
 */
export class RpcError extends Error {
  override readonly name = "RpcError";
  readonly reason: "refused" | "exit" | "timeout" | "closed" | "start";
  readonly command: string | undefined;
  /** The error of the agent, if it is an object: `code` and further fields. */
  readonly details: Record<string, unknown> | undefined;

  constructor(
    reason: RpcError["reason"],
    message: string,
    { command, details }: { command?: string; details?: Record<string, unknown> } = {},
  ) {
    super(message);
    this.reason = reason;
    this.command = command;
    this.details = details;
  }
}

export function exitMessage({ code, signal, stderr }: AgentExit): string {
  const how = signal === null ? `with status ${code ?? "unknown"}` : `by ${signal}`;
  const last = stderr.trim().split("\n").slice(-5).join("\n");
  return `The agent ended ${how}.${last === "" ? "" : ` It printed:\n${last}`}`;
}
