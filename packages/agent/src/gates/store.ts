import { readFileSync, renameSync } from "node:fs";
import { once } from "@gantry/models";
import { replaceFile } from "@gantry/models/replace-file";
import { z } from "zod";
import type { SchemaFault } from "./schema.ts";

export const STAGES = ["deep-interview", "ralplan", "ultragoal"] as const;
export const KINDS = ["question", "approval", "execution"] as const;

const gate = once(() =>
  z.object({
    type: z.literal("workflow_gate"),
    gate_id: z.string(),
    stage: z.enum(STAGES),
    kind: z.enum(KINDS),
    schema: z.record(z.string(), z.unknown()),
    schema_hash: z.string(),
    options: z
      .array(z.object({ value: z.unknown(), label: z.string(), description: z.string().optional() }))
      .optional(),
    context: z.record(z.string(), z.unknown()),
    created_at: z.string(),
    required: z.literal(true),
  }),
);
/** A question to the person or their stand-in, in its wire format. */
export type Gate = z.infer<ReturnType<typeof gate>>;

export type Resolution = {
  gate_id: string;
  status: "accepted" | "rejected";
  answer_hash: string;
  resolved_at: string;
  error?: { code: "invalid_workflow_gate_answer"; gate_id: string; schema_hash: string; errors: SchemaFault[] };
};

const stored = once(() =>
  z.object({
    version: z.literal(1),
    run: z.string(),
    next: z.number().int().positive(),
    gates: z.array(
      z.object({
        gate: gate(),
        /** `withdrawn`: the asking call has ended, and the gate is not shown again. */
        state: z.enum(["pending", "accepted", "withdrawn"]),
        resolution: z.unknown().optional(),
        key: z.string().optional(),
        body_hash: z.string().optional(),
      }),
    ),
  }),
);
export type StoredGates = z.infer<ReturnType<typeof stored>>;

/**
 * The gates of one session, in a file that `save` replaces atomically and syncs. An unreadable file is renamed and
 * reported in `problem`.
 */
export interface GateStore {
  load(): { gates: StoredGates | undefined; problem?: string };
  save(gates: StoredGates): void;
}

export function openGateStore(file: string): GateStore {
  return {
    load() {
      let text: string;
      try {
        text = readFileSync(file, "utf8");
      } catch {
        return { gates: undefined };
      }
      const read = stored().safeParse(parseJson(text));
      if (read.success) return { gates: read.data };
      renameSync(file, `${file}.unreadable`);
      return { gates: undefined, problem: `${file} could not be read and was renamed to ${file}.unreadable` };
    },
    save(gates) {
      replaceFile(file, JSON.stringify(gates));
    },
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
