import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ProbeTools, Ran } from "../contract.ts";
import { BriefProcess } from "./brief-process.ts";
import { endStrays } from "./strays.ts";

const TIMEOUT_MS = 5000;
const over: Ran = { code: null, stdout: "", stderr: "", timedOut: true, failed: "the probe is over" };

/** `close` stops what still runs, lets nothing more start and removes the scratch folder; their maker calls it. */
export type OwnedProbeTools = ProbeTools & { close(): Promise<void> };

/**
 * Tools for a probe of `command`; `env` is the whole environment of its processes. They run in a scratch folder, so
 * that an agent that looks around or writes something touches no one's work. None of the tools throws.
 */
export function makeProbeTools(command: readonly string[], env: Record<string, string>): OwnedProbeTools {
  const running = new Set<BriefProcess>();
  let scratch: Promise<string> | undefined;
  let closed = false;

  async function start(args: string[], timeoutMs = TIMEOUT_MS, onStdout?: (text: string) => void) {
    scratch ??= mkdtemp(join(tmpdir(), "gantry-probe-"));
    // Without a scratch folder (a full disk, say) the probe is still worth more than no answer.
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
      if (!brief) return over;
      if (input !== undefined) brief.write(input);
      brief.end();
      return brief.result;
    },

    async converse(args, frames, done, { timeoutMs, reply } = {}) {
      const lines: unknown[] = [];
      const say = (frame: unknown) => brief?.write(`${JSON.stringify(frame)}\n`);
      const split = lineSplitter();
      const listen = (text: string) => {
        const fresh = split(text).map(parseLine);
        lines.push(...fresh);
        for (const frame of fresh.flatMap((line) => guarded(() => reply?.(line), undefined) ?? [])) say(frame);
        // Once per piece of output and not per line: `done` looks through all lines, and an agent may print many.
        if (guarded(() => done(lines), false)) brief?.stop();
      };
      const brief = await start(args, timeoutMs, listen);
      for (const frame of frames) say(frame);
      return { ...((await brief?.result) ?? over), lines };
    },

    async close() {
      closed = true;
      for (const brief of running) brief.stop();
      await Promise.all([...running].map((brief) => brief.result));
      const folder = await scratch?.catch(() => undefined);
      if (folder) await endStrays(await realpath(folder).catch(() => folder));
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

/** A line that is not JSON stays the text it is. */
function parseLine(line: string): unknown {
  return guarded<unknown>(() => JSON.parse(line), line);
}

/** What a probe concludes from unexpected output must not bring the others down. */
function guarded<T>(act: () => T, otherwise: T): T {
  try {
    return act();
  } catch {
    return otherwise;
  }
}
