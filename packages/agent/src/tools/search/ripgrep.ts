import { spawn } from "node:child_process";
import { ToolError } from "../../contract/tool.ts";

export type RipgrepEnd = { stopped: "end" | "enough" | "time"; problems: string };

const MAX_PROBLEMS = 4000;
const MAX_RECORD = 1024 * 1024;

/**
 * Runs ripgrep and passes its output on record by record, until it ends, `take` returns false, the time is up or the
 * signal is aborted. The process has ended when this resolves. A wrong pattern is a `ToolError` with ripgrep's message.
 */
export async function ripgrep(
  args: readonly string[],
  options: { cwd: string; signal: AbortSignal; timeoutMs?: number; separator?: number },
  take: (record: Buffer) => boolean,
): Promise<RipgrepEnd> {
  const { rgPath } = await import("@vscode/ripgrep");
  const { cwd, signal, timeoutMs, separator = 10 } = options;
  const child = spawn(rgPath, ["--no-config", ...args], { cwd, stdio: ["ignore", "pipe", "pipe"] });
  let stopped: RipgrepEnd["stopped"] = "end";
  let problems = "";
  const stop = (why: RipgrepEnd["stopped"]) => {
    if (stopped === "end") stopped = why;
    child.kill("SIGKILL");
  };
  const abort = () => child.kill("SIGKILL");
  signal.addEventListener("abort", abort, { once: true });
  const timer = timeoutMs ? setTimeout(() => stop("time"), timeoutMs) : undefined;
  const split = splitter(separator, (record) => {
    if (stopped === "end" && !take(record)) stop("enough");
  });
  child.stdout.on("data", split.push);
  child.stderr.on("data", (data: Buffer) => {
    if (problems.length < MAX_PROBLEMS) problems += data.toString("utf8");
  });
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.on("error", reject);
      child.on("close", resolve);
    });
    if (signal.aborted) throw new ToolError("Aborted.");
    split.end();
    // Code 2 also means that some files were unreadable; it is a failure only if nothing was searched.
    if (
      stopped === "end" &&
      code === 2 &&
      /regex parse error|error parsing glob|unrecognized|not (valid|supported|allowed)/i.test(problems)
    ) {
      throw new ToolError(problems.trim());
    }
    return { stopped, problems: problems.trim() };
  } catch (error) {
    throw error instanceof ToolError ? error : new ToolError(`ripgrep could not be run: ${error}`);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
  }
}

function splitter(separator: number, take: (record: Buffer) => void) {
  let rest: Buffer[] = [];
  let size = 0;
  return {
    push: (data: Buffer) => {
      let at = 0;
      for (let next = data.indexOf(separator); next >= 0; next = data.indexOf(separator, at)) {
        take(Buffer.concat([...rest, data.subarray(at, next)]));
        rest = [];
        size = 0;
        at = next + 1;
      }
      if (at < data.length && size < MAX_RECORD) rest.push(data.subarray(at));
      size += data.length - at;
    },
    end: () => {
      if (rest.length > 0) take(Buffer.concat(rest));
    },
  };
}
