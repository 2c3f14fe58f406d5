import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createGateBroker, type GateRequest } from "./broker.ts";
import { type Gate, openGateStore } from "./store.ts";

const yesOrNo: GateRequest = {
  stage: "ralplan",
  kind: "approval",
  schema: { type: "string", enum: ["approve", "reject"] },
  context: { title: "Continue?" },
};
const never = new AbortController().signal;

describe("gates", () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "gantry-gates-"));
    file = join(folder, "state", "session.gates.json");
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  function broker() {
    const shown: Gate[] = [];
    const onDiskWhenShown: boolean[] = [];
    const orphans: unknown[] = [];
    const gates = createGateBroker({
      store: openGateStore(file),
      emit(gate) {
        shown.push(gate);
        onDiskWhenShown.push(readFileSync(file, "utf8").includes(gate.gate_id));
      },
      onOrphan: (_gate, answer) => orphans.push(answer),
    });
    return { gates, shown, onDiskWhenShown, orphans };
  }

  it("are stored before they are shown, with ascending ids", async () => {
    const { gates, shown, onDiskWhenShown } = broker();
    const first = gates.open(yesOrNo, never);
    void gates.open({ ...yesOrNo, stage: "ultragoal" }, never);
    expect(onDiskWhenShown).toEqual([true, true]);
    expect(shown[0]?.gate_id).toMatch(/^wg_[0-9a-f]{8}_ralplan_000001$/);
    expect(shown[1]?.gate_id).toMatch(/^wg_[0-9a-f]{8}_ultragoal_000002$/);
    expect(gates.answer({ gate_id: shown[0]?.gate_id ?? "", answer: "approve" }).status).toBe("accepted");
    expect(await first).toEqual({ kind: "answered", answer: "approve" });
  });

  it("stay open after an invalid answer, which is rejected with its faults", async () => {
    const { gates, shown } = broker();
    const open = gates.open(yesOrNo, never);
    const gate_id = shown[0]?.gate_id ?? "";
    const wrong = gates.answer({ gate_id, answer: "maybe", idempotency_key: "k" });
    expect(wrong).toMatchObject({ status: "rejected", error: { code: "invalid_workflow_gate_answer", gate_id } });
    expect(wrong.error?.schema_hash).toBe(shown[0]?.schema_hash);
    expect(gates.listPending()).toHaveLength(1);
    gates.answer({ gate_id, answer: "reject" });
    expect(await open).toEqual({ kind: "answered", answer: "reject" });
  });

  it("accept the same answer twice, but no different one", () => {
    const { gates, shown } = broker();
    void gates.open(yesOrNo, never);
    const gate_id = shown[0]?.gate_id ?? "";
    const answer = { gate_id, answer: "approve", idempotency_key: "k1" };
    const first = gates.answer(answer);
    expect(gates.answer(answer)).toEqual(first);
    expect(codeOf(() => gates.answer({ ...answer, answer: "reject" }))).toBe("idempotency_conflict");
    expect(codeOf(() => gates.answer({ gate_id, answer: "approve" }))).toBe("already_resolved");
    expect(codeOf(() => gates.answer({ gate_id: "wg_0_x", answer: 1 }))).toBe("unknown_gate");
  });

  it("are shown again by the next process, and answered there", () => {
    const before = broker();
    void before.gates.open(yesOrNo, never);
    // The process has ended without a shutdown; only the file is left.
    const after = broker();
    const [again] = after.gates.recover();
    expect(again).toEqual(before.shown[0]);
    expect(after.shown).toHaveLength(1);
    after.gates.answer({ gate_id: again?.gate_id ?? "", answer: "approve", idempotency_key: "k" });
    expect(after.orphans).toEqual(["approve"]);
    const third = broker();
    expect(third.gates.recover()).toEqual([]);
    const replay = third.gates.answer({ gate_id: again?.gate_id ?? "", answer: "approve", idempotency_key: "k" });
    expect(replay.status).toBe("accepted");
    void third.gates.open(yesOrNo, never);
    expect(third.shown[0]?.gate_id).toMatch(/_000002$/);
  });

  it("are withdrawn for good when the asking call is aborted", async () => {
    const { gates, shown } = broker();
    const stop = new AbortController();
    const open = gates.open(yesOrNo, stop.signal);
    stop.abort();
    expect(await open).toEqual({ kind: "withdrawn" });
    expect(codeOf(() => gates.answer({ gate_id: shown[0]?.gate_id ?? "", answer: "approve" }))).toBe(
      "already_resolved",
    );
    expect(broker().gates.recover()).toEqual([]);
  });

  it("reject an unsupported schema before anything is shown", () => {
    const { gates, shown } = broker();
    expect(codeOf(() => gates.open({ ...yesOrNo, schema: { pattern: "a" } }, never))).toBe(
      "invalid_workflow_gate_schema",
    );
    const stage = "team" as "ralplan";
    expect(codeOf(() => gates.open({ ...yesOrNo, stage }, never))).toBe("invalid_workflow_stage");
    expect(shown).toEqual([]);
  });

  it("start empty if the file is unreadable, and keep that file", () => {
    const first = broker();
    void first.gates.open(yesOrNo, never);
    writeFileSync(file, '{"version":1,"gates":');
    const store = openGateStore(file);
    expect(store.load().problem).toContain("was renamed to");
    expect(readFileSync(`${file}.unreadable`, "utf8")).toContain('"gates":');
  });
});

function codeOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    return (error as { code: string }).code;
  }
  return "none";
}
