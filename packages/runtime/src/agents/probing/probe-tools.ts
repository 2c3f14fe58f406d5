import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BriefResult, ProbeTools } from "../contract.ts";
import { BriefProcess, killOrphansIn } from "../finding/brief-process.ts";

const TIMEOUT_MS = 5000;
const afterClose: BriefResult = { code: null, stdout: "", stderr: "", timedOut: true, failed: "the probe was closed" };

/** `close` stops running processes, prevents new ones and removes the scratch folder. The creator must call it. */
export type OwnedProbeTools = ProbeTools & { close(): Promise<void> };

/**
 * Creates the tools for a probe of `command`; `env` is the complete environment of its processes. They run in a scratch
 * folder, so an agent that explores or writes files does not touch the user's work. No tool throws.
 */
export function makeProbeTools(command: readonly string[], env: Record<string, string>): OwnedProbeTools {
  const running = new Set<BriefProcess>();
  let scratch: Promise<string> | undefined;
  let closed = false;

  async function start(args: string[], timeoutMs = TIMEOUT_MS, onStdout?: (text: string) => void) {
    scratch ??= mkdtemp(join(tmpdir(), "gantry-probe-"));
    // Without a scratch folder (for example on a full disk) the probe runs in the temporary folder.
    const cwd = await scratch.catch(() => tmpdir());
    if (closed) return undefined;
    const brief = new BriefProcess([...command, ...args], { cwd, env, timeoutMs, onStdout });
    running.add(brief);
    void brief.result.then(() => running.delete(brief));
    return brief;
  }

  return {
    bin: command[0] ?? "",
    env,

    async run(args, { timeoutMs, input } = {}) {
      const brief = await start(args, timeoutMs);
      if (!brief) return afterClose;
      if (input !== undefined) brief.write(input);
      brief.end();
      return brief.result;
    },

    async converse(args, frames, done, { timeoutMs, reply } = {}) {
      const lines: unknown[] = [];
      const send = (frame: unknown) => brief?.write(`${JSON.stringify(frame)}\n`);
      const split = lineSplitter();
      const receive = (text: string) => {
        const fresh = split(text).map(parseLine);
        lines.push(...fresh);
        for (const frame of fresh.flatMap((line) => callOr(() => reply?.(line), undefined) ?? [])) send(frame);
        // Once per chunk, not per line: `done` scans all lines, and an agent may print many.
        if (callOr(() => done(lines), false)) brief?.stop();
      };
      const brief = await start(args, timeoutMs, receive);
      for (const frame of frames) send(frame);
      return { ...((await brief?.result) ?? afterClose), lines };
    },

    async close() {
      closed = true;
      for (const brief of running) brief.stop();
      await Promise.all([...running].map((brief) => brief.result));
      const folder = await scratch?.catch(() => undefined);
      if (folder) await killOrphansIn(await realpath(folder).catch(() => folder));
      if (folder) await rm(folder, { recursive: true, force: true }).catch(() => {});
    },
  };
}

function lineSplitter(): (text: string) => string[] {
  let rest = "";
  return (text) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    return lines.filter((line) => line.trim() !== "");
  };
}

/** A line that is not JSON is returned as text. */
function parseLine(line: string): unknown {
  return callOr<unknown>(() => JSON.parse(line), line);
}

/** An exception in a probe's callback must not affect other agents. */
function callOr<T>(act: () => T, otherwise: T): T {
  try {
    return act();
  } catch {
    return otherwise;
  }
}
