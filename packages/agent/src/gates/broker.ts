import { randomBytes } from "node:crypto";
import { hashOf } from "./canonical.ts";
import { answerFaults, type GateSchema, schemaProblem } from "./schema.ts";
import { type Gate, type GateStore, type Resolution, STAGES, type StoredGates } from "./store.ts";

/** A refusal. Clients distinguish refusals by `code`. */
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

export type GateAnswer = { gate_id: string; answer?: unknown; idempotency_key?: string | null };

/**
 * Questions that survive a restart of this process. A gate is stored before it is shown, and an answer before it takes
 * effect. Answers are idempotent by key. An invalid answer leaves the gate open. `answer` throws only `GateError`s.
 */
export interface GateBroker {
  /** Shows a gate and waits for its answer. Aborting withdraws it. Throws a `GateError` for an unsupported schema. */
  open(request: GateRequest, signal: AbortSignal): Promise<GateOutcome>;
  answer(answer: GateAnswer): Resolution;
  listPending(): Gate[];
  /** Shows the gates again that an earlier process left pending. Their answers go to `onOrphan`. */
  recover(): Gate[];
  /** Ends all waits. The gates stay pending on disk for the next process. */
  close(): void;
  /** Withdraws all pending gates. They cannot be reopened. */
  withdrawAll(): void;
}

type Parts = {
  store: GateStore;
  emit(gate: Gate): void;
  /** Receives the answer to a gate that an earlier process opened. */
  onOrphan(gate: Gate, answer: unknown): void;
  onResolved?(gate: Gate, resolution: Resolution): void;
  now?: () => Date;
};

export function createGateBroker(parts: Parts): GateBroker {
  return new Broker(parts);
}

class Broker implements GateBroker {
  readonly #parts: Parts;
  readonly #state: StoredGates;
  readonly #waiting = new Map<string, (outcome: GateOutcome) => void>();

  constructor(parts: Parts) {
    this.#parts = parts;
    const empty = { version: 1 as const, run: randomBytes(4).toString("hex"), next: 1, gates: [] };
    this.#state = parts.store.load().gates ?? empty;
  }

  open(request: GateRequest, signal: AbortSignal): Promise<GateOutcome> {
    if (signal.aborted) return Promise.resolve({ kind: "withdrawn" });
    const gate = this.#storeGate(request);
    return new Promise((resolve) => {
      const onAbort = () => this.#withdraw(gate.gate_id);
      signal.addEventListener("abort", onAbort, { once: true });
      this.#waiting.set(gate.gate_id, (outcome) => {
        signal.removeEventListener("abort", onAbort);
        resolve(outcome);
      });
      this.#parts.emit(gate);
    });
  }

  answer(answer: GateAnswer): Resolution {
    const { resolution, gate, first } = resolveAnswer(this.#state, this.#parts.store, answer, this.#now());
    if (!first || resolution.status !== "accepted") return resolution;
    this.#parts.onResolved?.(gate, resolution);
    const finish = this.#waiting.get(gate.gate_id);
    this.#waiting.delete(gate.gate_id);
    if (finish) finish({ kind: "answered", answer: answer.answer });
    else this.#parts.onOrphan(gate, answer.answer);
    return resolution;
  }

  listPending(): Gate[] {
    return this.#state.gates.filter((entry) => entry.state === "pending").map(({ gate }) => gate);
  }

  recover(): Gate[] {
    const orphans = this.listPending().filter(({ gate_id }) => !this.#waiting.has(gate_id));
    for (const gate of orphans) this.#parts.emit(gate);
    return orphans;
  }

  close(): void {
    for (const finish of this.#waiting.values()) finish({ kind: "withdrawn" });
    this.#waiting.clear();
  }

  withdrawAll(): void {
    for (const { gate_id } of this.listPending()) this.#withdraw(gate_id);
  }

  #now(): string {
    return (this.#parts.now?.() ?? new Date()).toISOString();
  }

  #storeGate(request: GateRequest): Gate {
    if (!STAGES.includes(request.stage)) {
      throw new GateError("invalid_workflow_stage", `no such stage: ${request.stage}`);
    }
    const problem = schemaProblem(request.schema);
    if (problem) throw new GateError("invalid_workflow_gate_schema", problem);
    const state = this.#state;
    const gate: Gate = {
      type: "workflow_gate",
      gate_id: `wg_${state.run}_${request.stage}_${String(state.next).padStart(6, "0")}`,
      ...request,
      schema_hash: hashOf(request.schema),
      created_at: this.#now(),
      required: true,
    };
    state.next += 1;
    state.gates.push({ gate, state: "pending" });
    this.#parts.store.save(state);
    return gate;
  }

  #withdraw(id: string): void {
    const entry = this.#state.gates.find(({ gate }) => gate.gate_id === id);
    if (entry?.state !== "pending") return;
    entry.state = "withdrawn";
    this.#parts.store.save(this.#state);
    const finish = this.#waiting.get(id);
    this.#waiting.delete(id);
    finish?.({ kind: "withdrawn" });
  }
}

/** Validates an answer and stores the resolution. */
function resolveAnswer(
  state: StoredGates,
  store: GateStore,
  answer: GateAnswer,
  at: string,
): { resolution: Resolution; gate: Gate; first: boolean } {
  const body = hashOf({ gate_id: answer.gate_id, answer: answer.answer ?? null });
  const key = answer.idempotency_key ?? undefined;
  const used = key === undefined ? undefined : state.gates.find((entry) => entry.key === key);
  if (used && used.body_hash !== body) {
    throw new GateError("idempotency_conflict", `the key ${key} was already used for a different answer`);
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
