import { eventTable } from "@gantry/protocol";
import { describe, expect, test } from "vitest";
import type { Output } from "../contract.ts";
import { channelFor, eventsOf, framesOf, launch, ofKind, recordings, replay } from "./replay.ts";

/** The expected end of each turn, by recording, from its last frames or the exit of its process. */
const endings: Record<string, string[]> = {
  appserver_ask_session: ["completed", "completed", "interrupted", "completed", "completed"],
  appserver_bash6s: ["completed"],
  appserver_bash_amend: ["completed", "completed"],
  appserver_bash_approve: ["completed"],
  appserver_bash_decline: ["completed"],
  appserver_compact: ["completed", "completed"],
  appserver_deny_with_words: ["completed"],
  appserver_drop: ["failed network"],
  appserver_dyntool: ["completed"],
  appserver_err401: ["failed auth"],
  appserver_err404: ["failed model_unavailable"],
  appserver_err500: ["failed overloaded"],
  appserver_err503: ["failed overloaded"],
  appserver_interrupt_stream: ["interrupted", "completed"],
  appserver_interrupt_while_asking: ["interrupted"],
  appserver_maxtok: ["failed context_overflow"],
  appserver_multi: ["completed"],
  appserver_noinit: [],
  appserver_nokey: ["failed auth"],
  appserver_nokey_openai: ["completed"],
  appserver_overflow: ["failed context_overflow"],
  appserver_overflowsse: ["failed context_overflow"],
  appserver_overloadsse: ["failed overloaded"],
  appserver_plan_question: ["completed", "completed", "completed"],
  appserver_quota: ["failed quota"],
  appserver_quotasse: ["failed quota"],
  appserver_ratesse: ["failed rate_limit"],
  appserver_resume_1_new: ["completed", "completed"],
  appserver_resume_3_fork: ["completed"],
  appserver_resume_lost: [],
  appserver_resume_usage: ["completed"],
  appserver_start_during_turn: ["completed"],
  appserver_steer: ["completed"],
  appserver_subagent: ["completed"],
  appserver_text: ["completed"],
  appserver_think: ["completed"],
  appserver_write_approve: ["completed"],
  appserver_write_approve_onrequest: ["completed"],
  appserver_write_cancel: ["interrupted"],
  appserver_write_decline: ["completed"],
  appserver_write_session: ["completed", "completed"],
  exec_badtool: ["completed"],
  exec_bash_full: ["completed"],
  exec_bash_ww: ["completed"],
  exec_bashfail_full: ["completed"],
  exec_codemode_write: ["completed"],
  exec_drop: ["failed network"],
  exec_err401: ["failed auth"],
  exec_err404: ["failed model_unavailable"],
  exec_err429: ["failed rate_limit"],
  exec_err429once: ["completed"],
  exec_err500: ["failed overloaded"],
  exec_err500once: ["completed"],
  exec_err503: ["failed overloaded"],
  exec_maxtok: ["failed context_overflow"],
  exec_miderr: ["failed overloaded"],
  exec_multi_full: ["completed"],
  exec_nokey: ["failed auth"],
  exec_nokey_default_provider: ["failed network"],
  exec_overflowsse: ["failed context_overflow"],
  exec_resume_1: ["completed"],
  exec_resume_2: ["completed"],
  exec_sigint_slow: ["failed crashed"],
  exec_sigterm_slow: ["failed crashed"],
  exec_text_plain: ["completed"],
  exec_unreachable_long: ["failed network"],
  exec_write_readonly: ["completed"],
};

/** The expected raw events, by reason. All other frames must be decoded. */
const knownRaw: Record<string, string[]> = {
  appserver_noinit: ["error for an unknown request"],
  appserver_resume_3_fork: ["error for an unknown request"],
};

test("lists every recording in the table", () => {
  expect(Object.keys(endings).sort()).toEqual(recordings);
});

describe.each(recordings)("%s", (recording) => {
  const channel = channelFor(recording);
  const frames = framesOf(recording);
  const { outputs } = replay(channel, frames);

  test("ends with the expected outcomes", () => {
    expect(turnEnds(outputs)).toEqual(endings[recording]);
    expect(ofKind(outputs, "begin")).toHaveLength(ofKind(outputs, "finish").length);
  });

  test("has no overlapping turns", () => {
    const bounds = outputs
      .filter((output) => output.kind === "begin" || output.kind === "finish")
      .map(({ kind }) => kind);
    bounds.forEach((kind, index) => {
      expect(kind).toBe(index % 2 === 0 ? "begin" : "finish");
    });
  });

  test("streams chunks that add up to the final text", () => {
    const done = [...eventsOf(outputs, "message.done"), ...eventsOf(outputs, "reasoning.done")];
    for (const { data } of done as { data: { item: string; text: string } }[]) {
      expect(streamedText(outputs, data.item)).toBe(data.text);
    }
  });

  test("reports only the known unsupported frames as raw", () => {
    const reasons = eventsOf(outputs, "raw").map(({ data }) => (data as { reason?: string }).reason);
    expect([...new Set(reasons)]).toEqual(knownRaw[recording] ?? []);
  });

  test("publishes events that match their schemas", () => {
    for (const { event } of ofKind(outputs, "event"))
      expect(eventTable[event.type].safeParse(event.data).error).toBeUndefined();
  });

  test("starts each tool once before its end", () => {
    const started = eventsOf(outputs, "tool.started").map(({ data }) => (data as { item: string }).item);
    const ended = eventsOf(outputs, "tool.ended").map(({ data }) => (data as { item: string }).item);
    expect(new Set(started).size).toBe(started.length);
    expect(new Set(ended).size).toBe(ended.length);
    expect(started).toEqual(expect.arrayContaining(ended));
  });

  test("decodes identically from a state that is stored after every frame", () => {
    expect(replay(channel, frames).outputs).toEqual(outputs);
    const stored = replay(channel, frames, launch, (state) => {
      const text = JSON.stringify(state);
      expect(text.length).toBeLessThan(3000);
      // A clone, because tables in the state have no prototype.
      expect(JSON.parse(text)).toStrictEqual(structuredClone(state));
      return JSON.parse(text);
    });
    expect(stored.outputs).toEqual(outputs);
  });

  test("is recognised by its first lines", () => {
    const lines = frames.flatMap((frame) => ("msg" in frame ? [frame] : [])).slice(0, 5);
    if (lines.length > 0) expect(channel.recognises(lines)).toBe(true);
    const unwrapped = lines.filter((line) => line.dir === "out").map((line) => line.msg);
    // One recording has errors only, which do not identify a channel.
    if (unwrapped.some((line) => !("error" in (line as object)))) expect(channel.recognises(unwrapped)).toBe(true);
  });

  test("finds the same turns in the agent's side alone", () => {
    const replayed = replay(
      channel,
      frames.filter((frame) => frame.dir !== "in"),
    );
    expect(turnEnds(replayed.outputs)).toEqual(endings[recording]);
  });
});

function turnEnds(outputs: Output[]): string[] {
  return ofKind(outputs, "finish").map(({ outcome, error }) => (error ? `${outcome} ${error.category}` : outcome));
}

function streamedText(outputs: Output[], item: string): string {
  const pieces = ofKind(outputs, "delta").filter((delta) => delta.item === item && delta.channel !== "output");
  return pieces.map((delta) => delta.text).join("");
}
