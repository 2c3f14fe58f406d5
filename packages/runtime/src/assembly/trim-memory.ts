import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

export type MemoryPorts = {
  /** Resident memory in bytes. */
  resident(): number;
  /** Processor time of this process so far, in milliseconds. */
  busyMs(): number;
  collect(): void;
};

const CHECK_MS = 1000;
/** Less processor time than this between two checks counts as quiet. */
const QUIET_MS = 25;
const GROWTH_BYTES = 8_000_000;

/**
 * Returns memory to the system after the start and after a burst. V8 keeps the space that it grew for them, and collects it only
 * under pressure. Collects when the daemon is quiet and has grown since the last time; otherwise it only reads two figures
 * each second. Returns a function that stops it.
 */
export function trimMemoryWhenQuiet(ports: MemoryPorts): () => void {
  let trimmed = 0;
  let busy = ports.busyMs();
  const timer = setInterval(() => {
    const before = busy;
    busy = ports.busyMs();
    if (busy - before > QUIET_MS || ports.resident() < trimmed + GROWTH_BYTES) return;
    ports.collect();
    busy = ports.busyMs();
    trimmed = ports.resident();
  }, CHECK_MS).unref();
  return () => clearInterval(timer);
}

/** This process. `release` drops caches before a collection. */
export function ownMemory(release: () => void): MemoryPorts {
  return {
    resident: () => process.memoryUsage.rss(),
    busyMs: () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1000;
    },
    collect: () => {
      release();
      // The flag makes `gc` available in new contexts only. `last-resort` also shrinks the young generation.
      setFlagsFromString("--expose-gc");
      const gc = runInNewContext("gc") as ((options: object) => void) | undefined;
      setFlagsFromString("--no-expose-gc");
      gc?.({ type: "major", execution: "sync", flavor: "last-resort" });
    },
  };
}
