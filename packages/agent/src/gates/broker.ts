import { randomBytes } from "node:crypto";
import { hashOf } from "./canonical.ts";
import { answerFaults, type GateSchema, schemaProblem } from "./schema.ts";
import { type Gate, type GateStore, type Resolution, STAGES, type StoredGates } from "./store.ts";

/** A refusal that clients tell apart by `code`. */
export class GateError extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

export type GateRequest = {
  stage: Gate["stage"];
  kind: Gate["kind"];
  schema: GateSchema;
  options?: Gate["options"];
  context: Gate["context"];
};

export type GateOutcome = { kind: "answered"; answer: unknown } | { kind: "withdrawn" };

export type Answer = { gate_id: string; answer?: unknown; idempotency_key?: string | null };

/**
 * Questions that outlive this process. A gate is on disk before it is shown, an answer before anybody acts on it. The
 * same answer with the same key comes to the same resolution; a wrong answer leaves the gate open. `answer` throws a
 * `GateError`, and nothing else.
 */
export interface GateBroker {
  /** Shows a gate and waits. Aborting withdraws it. Throws a `GateError` for a schema that may not be used. */
  open(request: GateRequest, signal: AbortSignal): Promise<GateOutcome>;
  answer(answer: Answer): Resolution;
  pending(): Gate[];
  /** Shows again what was pending when an earlier process ended. Their answers go to `onOrphan`. */
  recover(): Gate[];
  /** Nobody waits any more; the gates stay pending on disk for the next process. */
  close(): void;
  /** All that wait are withdrawn, for good. */
  withdrawAll(): void;
}

type Parts = {
  store: GateStore;
  emit(gate: Gate): void;
  /** A gate was answered whose asker is gone with an earlier process. */
  onOrphan(gate: Gate, answer: unknown): void;
  onResolved?(gate: Gate, resolution: Resolution): void;
  now?: () => Date;
};

export function createGateBroker(parts: Parts): GateBroker {
  const { store, emit } = parts;
  const now = () => (parts.now?.() ?? new Date()).toISOString();
  const state: StoredGates = store.load().gates ?? {
    version: 1,
    run: randomBytes(4).toString("hex"),
    next: 1,
    gates: [],
  };
  const waiting = new Map<string, (outcome: GateOutcome) => void>();
  const stillPending = () => state.gates.filter((entry) => entry.state === "pending");

  function draw(request: GateRequest): Gate {
    if (!STAGES.includes(request.stage))
      throw new GateError("invalid_workflow_stage", `no such stage: ${request.stage}`);
    const problem = schemaProblem(request.schema);
    if (problem) throw new GateError("invalid_workflow_gate_schema", problem);
    const number = String(state.next).padStart(6, "0");
    const gate: Gate = {
      type: "workflow_gate",
      gate_id: `wg_${state.run}_${request.stage}_${number}`,
      ...request,
      schema_hash: hashOf(request.schema),
      created_at: now(),
      required: true,
    };
    state.next += 1;
    state.gates.push({ gate, state: "pending" });
    store.save(state);
    return gate;
  }

  function withdraw(id: string): void {
    const entry = state.gates.find(({ gate }) => gate.gate_id === id);
    if (entry?.state !== "pending") return;
    entry.state = "withdrawn";
    store.save(state);
    const finish = waiting.get(id);
    waiting.delete(id);
    finish?.({ kind: "withdrawn" });
  }

  return {
    open(request, signal) {
      if (signal.aborted) return Promise.resolve({ kind: "withdrawn" });
      const gate = draw(request);
      return new Promise((resolve) => {
        const onAbort = () => withdraw(gate.gate_id);
        signal.addEventListener("abort", onAbort, { once: true });
        waiting.set(gate.gate_id, (outcome) => {
          signal.removeEventListener("abort", onAbort);
          resolve(outcome);
        });
        emit(gate);
      });
    },
    answer(answer) {
      const { resolution, gate, first } = resolve(state, store, answer, now());
      if (!first || resolution.status !== "accepted") return resolution;
      parts.onResolved?.(gate, resolution);
      const finish = waiting.get(gate.gate_id);
      waiting.delete(gate.gate_id);
      if (finish) finish({ kind: "answered", answer: answer.answer });
      else parts.onOrphan(gate, answer.answer);
      return resolution;
    },
    pending: () => stillPending().map(({ gate }) => gate),
    recover() {
      const orphans = stillPending().filter(({ gate }) => !waiting.has(gate.gate_id));
      for (const { gate } of orphans) emit(gate);
      return orphans.map(({ gate }) => gate);
    },
    close() {
      for (const finish of waiting.values()) finish({ kind: "withdrawn" });
      waiting.clear();
    },
    withdrawAll() {
      for (const { gate } of stillPending()) withdraw(gate.gate_id);
    },
  };
}

/** Decides about an answer and keeps what came of it. */
function resolve(
  state: StoredGates,
  store: GateStore,
  answer: Answer,
  at: string,
): { resolution: Resolution; gate: Gate; first: boolean } {
  const body = hashOf({ gate_id: answer.gate_id, answer: answer.answer ?? null });
  const key = answer.idempotency_key ?? undefined;
  const used = key === undefined ? undefined : state.gates.find((entry) => entry.key === key);
  if (used && used.body_hash !== body) {
    throw new GateError("idempotency_conflict", `the key ${key} was used for another answer`);
  }
  if (used) return { resolution: used.resolution as Resolution, gate: used.gate, first: false };
  const entry = state.gates.find(({ gate }) => gate.gate_id === answer.gate_id);
  if (!entry) throw new GateError("unknown_gate", `there is no gate ${answer.gate_id}`);
  if (entry.state !== "pending") throw new GateError("already_resolved", `${answer.gate_id} is ${entry.state}`);
  const { gate } = entry;
  const errors = answerFaults(gate.schema, answer.answer ?? null);
  const resolution: Resolution = {
    gate_id: gate.gate_id,
    status: errors.length > 0 ? "rejected" : "accepted",
    answer_hash: hashOf(answer.answer ?? null),
    resolved_at: at,
  };
  if (errors.length > 0) {
    const { gate_id, schema_hash } = gate;
    const error = { code: "invalid_workflow_gate_answer", gate_id, schema_hash, errors } as const;
    return { resolution: { ...resolution, error }, gate, first: true };
  }
  entry.state = "accepted";
  entry.resolution = resolution;
  if (key !== undefined) Object.assign(entry, { key, body_hash: body });
  store.save(state);
  return { resolution, gate, first: true };
}
