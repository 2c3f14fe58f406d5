import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Client } from "@gantry/client";
import type { Envelope } from "@gantry/protocol";
import { firstLine } from "../render/names.ts";

export type LiveReport =
  | { agent: string; ok: true; answer: string; totalMs: number; firstOutputMs?: number }
  | { agent: string; ok: false; problem: string; remedy?: string; totalMs: number };

const DEADLINE_MS = 120_000;
const PROMPT = "Reply with the single word ready and do nothing else.";

/**
 * Sends one tiny prompt to an agent through the real path: a session in an empty folder, which is removed again. What
 * goes wrong is the report.
 */
export async function tryLive(client: Client, agent: string): Promise<LiveReport> {
  const folder = mkdtempSync(join(tmpdir(), "gantry-doctor-"));
  const started = performance.now();
  const elapsed = () => Math.round(performance.now() - started);
  let session: string | undefined;
  try {
    const made = await client.call("createSession", {
      body: { agent, cwd: folder, title: "doctor", mode: "ask", prompt: PROMPT },
    });
    session = made.id;
    return await firstTurn(client, agent, session, elapsed);
  } catch (error) {
    const { message, remedy } = error as Error & { remedy?: string };
    return { agent, ok: false, problem: message, remedy, totalMs: elapsed() };
  } finally {
    if (session) await client.call("deleteSession", { params: { id: session } }).catch(() => {});
    rmSync(folder, { recursive: true, force: true });
  }
}

async function firstTurn(client: Client, agent: string, session: string, elapsed: () => number): Promise<LiveReport> {
  const signal = AbortSignal.timeout(DEADLINE_MS);
  let answer = "";
  let firstOutputMs: number | undefined;
  try {
    for await (const frame of client.follow(session, { after: 0, signal })) {
      if ("live" in frame && frame.live.type === "delta") firstOutputMs ??= elapsed();
      if (!("event" in frame)) continue;
      const { event } = frame;
      if (event.type === "message.done") answer = event.data.text.trim();
      if (event.type === "input.requested") await deny(client, event.data.id);
      if (event.type === "turn.ended") return ended(agent, event, answer, elapsed(), firstOutputMs);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return { agent, ok: false, problem: `no answer within ${DEADLINE_MS / 1000} s`, totalMs: elapsed() };
}

/** Nothing is to be done here, whatever it wants; that it asks shows that the way works. */
async function deny(client: Client, id: string): Promise<void> {
  await client.call("answerInput", { params: { id }, body: { decision: "deny" } }).catch(() => {});
}

function ended(
  agent: string,
  event: Envelope<"turn.ended">,
  answer: string,
  totalMs: number,
  firstOutputMs: number | undefined,
): LiveReport {
  const { outcome, error } = event.data;
  if (outcome === "completed")
    return { agent, ok: true, answer: firstLine(answer).slice(0, 80), totalMs, firstOutputMs };
  return { agent, ok: false, problem: error?.message ?? `the turn was ${outcome}`, remedy: error?.remedy, totalMs };
}
