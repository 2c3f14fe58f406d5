import type { Claim, JobKind, MemoryDatabase } from "./database.ts";
import { writeMemory } from "./files.ts";
import type { Ask, MemoryRun, MemorySettings } from "./port.ts";
import { consolidateQuestion, extractQuestion, readConsolidation, readExtraction } from "./questions.ts";
import { transcript } from "./transcript.ts";

export type Work = {
  db: MemoryDatabase;
  scope: string;
  folder: string;
  settings: MemorySettings;
  ask: Ask;
  signal: AbortSignal;
};

/** Runs all pending extractions, several at a time, then one consolidation if there is something new. */
export async function work(place: Work): Promise<MemoryRun> {
  const run: MemoryRun = { extracted: 0, consolidated: false, problems: [] };
  const { concurrency, maxRolloutsPerStartup } = place.settings;
  let left = maxRolloutsPerStartup;
  const runExtractions = async () => {
    while (left-- > 0 && !place.signal.aborted) {
      const outcome = await attempt(place, "extract", run, (claim, signal) => extract(place, claim, signal));
      if (outcome === "none") return;
      if (outcome === "done") run.extracted++;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, runExtractions));
  if (place.signal.aborted) return run;
  run.consolidated =
    (await attempt(place, "consolidate", run, (claim, signal) => consolidate(place, claim, signal))) === "done";
  return run;
}

/** Runs a job under a lease that is renewed while the job runs. A job that fails is retried later. */
async function attempt(
  { db, scope, settings, signal }: Work,
  kind: JobKind,
  run: MemoryRun,
  job: (claim: Claim, signal: AbortSignal) => Promise<boolean>,
): Promise<"none" | "done" | "failed"> {
  const leaseMs = kind === "extract" ? settings.extractionLeaseMs : settings.consolidationLeaseMs;
  const claim = db.claim(kind, scope, leaseMs);
  if (!claim) return "none";
  const lost = new AbortController();
  const heartbeat = setInterval(() => {
    if (!renewLease(db, claim, leaseMs)) lost.abort(new Error("another process has taken it over"));
  }, settings.heartbeatMs);
  try {
    return (await job(claim, AbortSignal.any([signal, lost.signal]))) ? "done" : "failed";
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    // An aborted job has not failed: another process may start it at once.
    db.fail(claim, message, signal.aborted ? 0 : settings.retryDelayMs);
    if (!signal.aborted) run.problems.push(`${kind} ${claim.key}: ${message}`);
    return "failed";
  } finally {
    clearInterval(heartbeat);
  }
}

/** One failed renewal because the database is busy is harmless: the lease is longer than several renewal intervals. */
function renewLease(db: MemoryDatabase, claim: Claim, leaseMs: number): boolean {
  try {
    return db.renew(claim, leaseMs);
  } catch {
    return true;
  }
}

async function extract({ db, scope, ask }: Work, claim: Claim, signal: AbortSignal): Promise<boolean> {
  const { file } = db.thread(claim.key) ?? {};
  const text = file && transcript(file);
  const found = text ? readExtraction(await ask(extractQuestion(claim.key, text), signal)) : "nothing";
  signal.throwIfAborted();
  return db.finish(claim, () => db.keep(claim.key, scope, claim.wanted, found === "nothing" ? undefined : found));
}

async function consolidate(
  { db, scope, folder, settings, ask }: Work,
  claim: Claim,
  signal: AbortSignal,
): Promise<boolean> {
  const extractions = db.extractions(scope, settings.maxRawMemories);
  const made =
    extractions.length === 0
      ? { memory: "", summary: "", skills: [] }
      : readConsolidation(await ask(consolidateQuestion(extractions), signal));
  signal.throwIfAborted();
  // Inside the transaction, so that a process that lost the job writes nothing.
  return db.finish(claim, () => writeMemory(folder, made));
}
