import { EFFORTS, type Model } from "@gantry/models";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AgentEvent, MessagePiece } from "../../contract/events.ts";
import type { AgentMessage } from "../../contract/messages.ts";
import type { SessionState } from "../../contract/session.ts";
import type { SessionEvent } from "../../contract/session-event.ts";
import type { Gate } from "../../gates/store.ts";
import { gate as gateFrame, level as levelOfProtocol, phases as phasesOfProtocol } from "../testing/frames.ts";
import { COMMANDS } from "./commands.ts";
import { createEventWire, modelOnWire, stateOnWire, todosFromWire, todosOnWire } from "./event-wire.ts";
import { gateOnWire } from "./gate-wire.ts";

const effort = fc.constantFrom(...EFFORTS);
const levelOf = (event: SessionEvent) => ("thinkingLevel" in event ? event.thinkingLevel : undefined);

describe("thinking levels on the wire", () => {
  const thinking = fc.record(
    {
      minLevel: effort,
      maxLevel: effort,
      mode: fc.constant("effort" as const),
      defaultLevel: effort,
      levels: fc.array(effort),
    },
    { requiredKeys: ["minLevel", "maxLevel", "mode"] },
  );

  it("end at the highest level of the protocol, in models, state and events", () => {
    fc.assert(
      fc.property(thinking, effort, (declared, thinkingLevel) => {
        const model = { provider: "p", id: "m", thinking: declared } as unknown as Model;
        const state = { model, thinkingLevel, todoPhases: [] } as unknown as SessionState;
        const wire = createEventWire();
        const sent = [
          modelOnWire(model).thinking,
          stateOnWire(state).thinkingLevel,
          levelOf(wire({ type: "thinking_level_changed", thinkingLevel })),
          levelOf(wire({ type: "model_changed", model: "p/m", thinkingLevel })),
        ];
        const [{ mode: _, ...levels }, ...others] = sent as [Record<string, unknown>, ...unknown[]];
        for (const each of [...Object.values(levels).flat(), ...others]) {
          expect(levelOfProtocol.safeParse(each).success).toBe(true);
        }
        if (thinkingLevel !== "max") expect(others).toEqual([thinkingLevel, thinkingLevel, thinkingLevel]);
      }),
    );
  });
});

describe("gates on the wire", () => {
  const option = fc.record(
    {
      value: fc.oneof(fc.string(), fc.record({ decision: fc.string() }), fc.integer()),
      label: fc.string(),
      description: fc.string(),
    },
    { requiredKeys: ["value", "label"] },
  );

  it("have only texts as options, and the complete choices in their context", () => {
    fc.assert(
      fc.property(fc.option(fc.array(option), { nil: undefined }), (options) => {
        const gate: Gate = {
          type: "workflow_gate",
          gate_id: "wg_00000000_ralplan_000001",
          stage: "ralplan",
          kind: "question",
          schema: {},
          schema_hash: "0".repeat(64),
          ...(options ? { options } : {}),
          context: { title: "t" },
          created_at: "2026-01-01T00:00:00Z",
          required: true,
        };
        const sent = gateOnWire(gate);
        gateFrame.parse(sent);
        expect((sent.context as { choices?: unknown }).choices).toEqual(options?.length ? options : undefined);
        if (options?.length && options.every(({ value }) => typeof value === "string")) {
          expect(sent.options).toEqual(options.map(({ value }) => value));
        }
      }),
    );
  });
});

describe("todos on the wire", () => {
  const text = fc.string({ minLength: 1 });
  const task = fc.record(
    {
      id: text,
      content: text,
      status: fc.constantFrom("pending", "in_progress", "completed", "abandoned"),
      notes: text,
      details: text,
    },
    { requiredKeys: ["content", "status"] },
  );
  const list = fc.array(
    fc.record({ id: text, name: text, tasks: fc.array(task) }, { requiredKeys: ["name", "tasks"] }),
  );

  it("come back as the client sent them, with ids, notes and details", () => {
    fc.assert(
      fc.property(list, (phases) => {
        const read = COMMANDS.set_todos.schema.parse({ phases });
        const sent = todosOnWire(todosFromWire(read.phases));
        phasesOfProtocol.parse(sent);
        expect(sent).toEqual(phases);
      }),
    );
  });
});

describe("full updates", () => {
  const piecesOf = (kind: "text" | "thinking", index: number, parts: string[]): MessagePiece[] => [
    { type: `${kind}_start`, index },
    ...parts.map((delta): MessagePiece => ({ type: `${kind}_delta`, index, delta })),
    ...(kind === "text"
      ? [{ type: "text_end" as const, index, text: parts.join("") }]
      : [{ type: "thinking_end" as const, index, thinking: parts.join("") }]),
  ];
  const block = fc.record({
    kind: fc.constantFrom("text" as const, "thinking" as const),
    parts: fc.array(fc.string()),
  });
  const started = {
    type: "message_start",
    message: { role: "assistant", content: [], model: "m" } as unknown as AgentMessage,
  };

  it("carry the whole message so far, and the complete one at its end", () => {
    fc.assert(
      fc.property(fc.array(block, { minLength: 1, maxLength: 4 }), (blocks) => {
        const wire = createEventWire(true);
        wire(started as AgentEvent);
        const pieces = blocks.flatMap(({ kind, parts }, index) => piecesOf(kind, index, parts));
        const sent = pieces.map(
          (piece) => wire({ type: "message_update", piece }) as { message: { content: object[] } },
        );
        const lengths = sent.map(({ message }) => JSON.stringify(message).length);
        expect(lengths).toEqual(lengths.toSorted((a, b) => a - b));
        expect(sent.at(-1)?.message).toMatchObject({
          model: "m",
          content: blocks.map(({ kind, parts }) => ({ type: kind, [kind]: parts.join("") })),
        });
      }),
    );
  });

  it("have a call with its arguments, and no block of the message before", () => {
    const wire = createEventWire(true);
    wire(started as AgentEvent);
    wire({ type: "message_update", piece: { type: "text_delta", index: 0, delta: "old" } });
    wire(started as AgentEvent);
    const toolCall = { type: "toolCall" as const, id: "c", name: "read", arguments: { path: "a" } };
    wire({ type: "message_update", piece: { type: "toolcall_start", index: 0, id: "c", name: "read" } });
    const end = wire({ type: "message_update", piece: { type: "toolcall_end", index: 0, toolCall } });
    expect(end).toMatchObject({
      message: { content: [toolCall] },
      assistantMessageEvent: { partial: { content: [toolCall] } },
    });
  });

  it("are off by default", () => {
    const wire = createEventWire();
    wire(started as AgentEvent);
    const update = wire({ type: "message_update", piece: { type: "text_delta", index: 0, delta: "a" } });
    expect(update).toMatchObject({ message: { role: "assistant", content: [] } });
  });
});
