import { type Delta, draft, type Envelope, eventTable } from "@gantry/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodeV1 } from "./encode-v1.ts";
import { encodeV2 } from "./encode-v2.ts";
import { Translator } from "./translator.ts";
import type { Output, Update } from "./update.ts";

type Frame = { event: Envelope } | { delta: Delta };

/** One item of a generated turn: its events, and the chunks that a live client gets before its end. */
type Piece =
  | { kind: "text" | "thought"; text: string; cuts: number[]; lost: boolean[] }
  | {
      kind: "tool";
      execute: boolean;
      output: string;
      cuts: number[];
      updates: number;
      asks: boolean;
      status: "ok" | "error";
    };

const word = fc.string({ minLength: 0, maxLength: 30 });
const cuts = fc.array(fc.nat(30), { maxLength: 5 });
const piece: fc.Arbitrary<Piece> = fc.oneof(
  fc.record({
    kind: fc.constantFrom("text" as const, "thought" as const),
    text: word,
    cuts,
    lost: fc.array(fc.boolean(), { maxLength: 6 }),
  }),
  fc.record({
    kind: fc.constant("tool" as const),
    execute: fc.boolean(),
    output: word,
    cuts,
    updates: fc.nat(2),
    asks: fc.boolean(),
    status: fc.constantFrom("ok" as const, "error" as const),
  }),
);
const turns = fc.array(fc.array(piece, { maxLength: 6 }), { minLength: 1, maxLength: 4 });

/** The log of the turns with the live frames between its events. */
function framesOf(generated: Piece[][]): Frame[] {
  const frames: Frame[] = [];
  let seq = 0;
  let item = 0;
  const add = (type: Envelope["type"], data: unknown, turn?: string) => {
    const common = { v: 1 as const, session: "ses_a", seq: ++seq, at: "2026-11-18T00:00:00.000Z" };
    frames.push({
      event: { ...common, ...draft(type, eventTable[type].parse(data) as never, turn ? { turn } : {}) } as Envelope,
    });
  };
  const stream = (id: string, channel: Delta["channel"], text: string, places: number[], lost: boolean[]) => {
    const marks = [0, ...places.map((place) => Math.min(place, text.length)), text.length].sort((a, b) => a - b);
    marks.slice(1).forEach((end, index) => {
      const offset = marks[index] ?? 0;
      const delta = {
        type: "delta" as const,
        session: "ses_a",
        item: id,
        channel,
        offset,
        text: text.slice(offset, end),
      };
      if (!lost[index]) frames.push({ delta });
    });
  };
  generated.forEach((pieces, index) => {
    const turn = `trn_${index}`;
    add("message.user", { message: `msg_${index}`, text: `prompt ${index}` });
    add("turn.started", { trigger: "user", messages: [`msg_${index}`] }, turn);
    for (const one of pieces) {
      const id = `itm_${item++}`;
      if (one.kind === "tool") {
        add("tool.started", { item: id, name: "t", kind: one.execute ? "execute" : "read", title: "T" }, turn);
        if (one.asks)
          add("input.requested", { id: `inp_${id}`, session: "ses_a", item: id, kind: "approval", title: "T" }, turn);
        if (one.asks) add("input.resolved", { id: `inp_${id}`, decision: "allow", by: "user" }, turn);
        for (let count = 0; count < one.updates; count++)
          add("tool.updated", { item: id, patch: { title: `T${count}` } }, turn);
        stream(id, "output", one.output, one.cuts, []);
        add("tool.ended", { item: id, status: one.status, output: one.output }, turn);
      } else {
        stream(id, one.kind === "text" ? "text" : "reasoning", one.text, one.cuts, one.lost);
        add(one.kind === "text" ? "message.done" : "reasoning.done", { item: id, text: one.text }, turn);
      }
    }
    add("turn.ended", { outcome: "completed" }, turn);
  });
  return frames;
}

function play(frames: Frame[], isLive: boolean): Output[] {
  const translator = new Translator({ cwd: "/work" });
  return frames.flatMap((frame) => {
    if ("event" in frame) return translator.take(frame.event);
    return isLive ? translator.takeDelta(frame.delta) : [];
  });
}

const updatesOf = (outputs: Output[]): Update[] => outputs.flatMap((one) => ("update" in one ? [one.update] : []));

function textsOf(updates: Update[]): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const update of updates)
    if (update.kind === "text" || update.kind === "thought" || update.kind === "terminal_output")
      texts[`${update.kind} ${update.id}`] = (texts[`${update.kind} ${update.id}`] ?? "") + update.text;
  return texts;
}

describe("the translator", () => {
  it("sends the same text live, with lost chunks, and on load", () => {
    fc.assert(
      fc.property(turns, (generated) => {
        const frames = framesOf(generated);
        const [live, loaded] = [updatesOf(play(frames, true)), updatesOf(play(frames, false))];
        expect(textsOf(live)).toEqual(textsOf(loaded));
        expect(live.some(({ kind }) => kind === "replaced")).toBe(false);
        const rest = (updates: Update[]) =>
          updates.filter(({ kind }) => !/^(text|thought|terminal_output)$/.test(kind));
        expect(rest(live)).toEqual(rest(loaded));
      }),
    );
  });

  it("opens each tool call once before its updates and ends it once", () => {
    fc.assert(
      fc.property(turns, (generated) => {
        const updates = updatesOf(play(framesOf(generated), true));
        const opened = new Set<string>();
        const ended = new Set<string>();
        for (const update of updates) {
          if (update.kind === "tool") {
            expect(opened.has(update.id)).toBe(false);
            opened.add(update.id);
          }
          if (update.kind !== "tool_change") continue;
          expect(opened.has(update.id)).toBe(true);
          expect(ended.has(update.id)).toBe(false);
          if (update.fields.status === "completed" || update.fields.status === "failed") ended.add(update.id);
        }
        expect(ended).toEqual(opened);
      }),
    );
  });

  it("shows each user message when its turn starts, and asks and settles each input once", () => {
    fc.assert(
      fc.property(turns, (generated) => {
        const outputs = play(framesOf(generated), true);
        expect(updatesOf(outputs).filter(({ kind }) => kind === "user").length).toBe(generated.length);
        const asked = outputs.flatMap((one) => ("ask" in one ? [one.ask.id] : []));
        expect(outputs.flatMap((one) => ("settled" in one ? [one.settled] : []))).toEqual(asked);
        const states = updatesOf(outputs).flatMap((one) => (one.kind === "state" ? [one.state] : []));
        expect(states.filter((state) => state === "idle").length).toBe(generated.length);
        expect(states.at(-1)).toBe("idle");
      }),
    );
  });

  it("sends the text again when the final text differs from the streamed one", () => {
    const translator = new Translator({ cwd: "/" });
    const delta = { type: "delta" as const, session: "ses_a", item: "itm_a", channel: "text" as const };
    translator.takeDelta({ ...delta, offset: 0, text: "draft" });
    const done = { v: 1, session: "ses_a", seq: 1, at: "", ...draft("message.done", { item: "itm_a", text: "final" }) };
    const [output] = translator.take(done as Envelope);
    expect(output).toEqual({ update: { kind: "replaced", of: "text", id: "itm_a", text: "final" } });
    const update = (output as { update: Update }).update;
    expect(encodeV2(update, "/")).toMatchObject([{ sessionUpdate: "agent_message", messageId: "itm_a" }]);
    const display = { terminals: false, notices: false, cwd: "/" };
    expect(encodeV1(update, display)).toMatchObject([
      { sessionUpdate: "agent_message_chunk", content: { text: "\n\nfinal" } },
    ]);
  });
});
