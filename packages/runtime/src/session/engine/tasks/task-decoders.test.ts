import { foldSession, runningTasks, type SessionView } from "@gantry/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FakeConversation } from "../../../agents/acp/testing/conversation.ts";
import { launch } from "../../../agents/acp/testing/recordings.ts";
import { claude } from "../../../agents/claude/descriptor.ts";
import { FakeAppServer } from "../../../agents/codex/app-server/conversation.ts";
import type { Agent, Channel, Output } from "../../../agents/contract.ts";
import { droid } from "../../../agents/droid/descriptor.ts";
import { gantry } from "../../../agents/gantry/descriptor.ts";
import { gemini } from "../../../agents/gemini/descriptor.ts";
import { kimi } from "../../../agents/kimi/descriptor.ts";
import { qwen } from "../../../agents/qwen/descriptor.ts";
import { initialState } from "../state.ts";
import { EngineBench, faults } from "../testing/engine.fake.ts";

/*
 * Law 3 for every decoder that reports tasks, over generated sequences of starts, progress, ends, turns and restarts of
 * the daemon, with an exit of the process at the end: nothing that runs is ended, and everything ends exactly once.
 */

/** An agent as far as its tasks go. `n` names a task. An end of `undefined`: Gantry sees that its process has ended. */
type Subject = {
  start(n: number): Output[];
  progress(n: number): Output[];
  end(n: number): Output[] | undefined;
  task(n: number): string;
  beginTurn(): void;
  /** The outputs of the end of a turn that concern tasks. */
  endTurn(): Output[];
  /** A command is a task only when its turn has ended. */
  startsLate?: true;
};

/** A decoder whose state is stored and restored after each frame, like in a mark. */
function decoder(agent: Agent): (msg: object) => Output[] {
  const channel = agent.channels[0] as unknown as Channel<unknown>;
  let state = channel.initial(launch);
  return (msg) => {
    const [next, outputs] = channel.decode(state as never, { dir: "out", msg });
    state = JSON.parse(JSON.stringify(next));
    return outputs;
  };
}

function claudeSubject(): Subject {
  const receive = decoder(claude);
  const system = (subtype: string, n: number, more: object) =>
    receive({ type: "system", subtype, task_id: `b${n}`, ...more });
  return {
    start: (n) =>
      system("task_started", n, {
        ...{ tool_use_id: `t${n}`, description: "work", is_backgrounded: true },
        ...(n % 2 ? { task_type: "local_bash" } : { task_type: "local_agent", subagent_type: "general" }),
      }),
    progress: (n) => system("task_progress", n, { description: `step ${Math.random()}` }),
    end: (n) => system("task_notification", n, { status: ["completed", "failed", "killed"][n % 3], summary: "end" }),
    task: (n) => `b${n}`,
    beginTurn() {},
    endTurn: () => receive({ type: "result", subtype: "success", is_error: false, result: "", session_id: "s" }),
  };
}

function gantrySubject(): Subject {
  const receive = decoder(gantry);
  return {
    start: (n) => receive({ type: "job_started", jobId: `job-${n}`, command: "make" }),
    progress: (n) => receive({ type: "job_updated", jobId: `job-${n}`, url: `http://localhost:${4000 + n}/` }),
    end: (n) => receive({ type: "job_ended", jobId: `job-${n}`, status: n % 2 ? "done" : "failed", summary: "" }),
    task: (n) => `job-${n}`,
    beginTurn() {},
    endTurn: () => [],
  };
}

function codexSubject(): Subject {
  let turns = 0;
  let server: FakeAppServer | undefined;
  const current = () => (server ??= FakeAppServer.startTurn(`turn-${turns}`));
  const item = (n: number) => ({ type: "commandExecution", id: `c${n}`, command: "make", processId: String(40 + n) });
  const started = new Map<number, number>();
  return {
    start(n) {
      started.set(n, turns);
      return current().notify("item/started", { item: { ...item(n), status: "inProgress" } });
    },
    progress: (n) => current().notify("item/commandExecution/outputDelta", { itemId: `c${n}`, delta: "." }),
    end: (n) =>
      current().notify("item/completed", {
        turnId: `turn-${started.get(n)}`,
        item: { ...item(n), status: "completed", exitCode: n % 2, aggregatedOutput: "" },
      }),
    task: (n) => `c${n}`,
    beginTurn() {
      turns++;
      if (!server) return void current();
      server.command({ type: "prompt", message: `msg_${turns}`, text: "hi", attachments: [] });
      server.receive({ id: server.lastSent.id, result: { turn: { id: `turn-${turns}` } } });
    },
    endTurn: () => current().notify("turn/completed", { turn: { id: `turn-${turns}`, status: "completed" } }),
    startsLate: true,
  };
}

function droidSubject(): Subject {
  const receive = decoder(droid);
  let calls = 0;
  const started = new Map<number, string>();
  const notify = (notification: object) =>
    receive({ type: "notification", method: "droid.session_notification", params: { notification } });
  return {
    start(n) {
      const id = `t${++calls}`;
      started.set(n, id);
      const input = { command: "make", fireAndForget: true };
      const content = `Background process started (PID: ${1000 + calls})\nCommand: make\n`;
      return [
        ...notify({ type: "tool_call", toolUse: { id, name: "Execute", input } }),
        ...notify({ type: "tool_result", toolUseId: id, content, isError: false }),
      ];
    },
    progress: () => [],
    end: () => undefined,
    task: (n) => started.get(n) ?? "",
    beginTurn() {},
    endTurn: () => [],
  };
}

const acpSubject = (agent: Agent, outputOf: (call: string, pid: number) => string) => (): Subject => {
  const conversation = FakeConversation.startTurn(agent);
  let calls = 0;
  const started = new Map<number, string>();
  return {
    start(n) {
      const toolCallId = `t${++calls}`;
      const rawInput = { command: "make" };
      const content = [{ type: "content", content: { type: "text", text: outputOf(toolCallId, 1000 + calls) } }];
      const outputs = [
        ...conversation.update({ sessionUpdate: "tool_call", toolCallId, kind: "execute", title: "make", rawInput }),
        ...conversation.update({ sessionUpdate: "tool_call_update", toolCallId, status: "completed", content }),
      ];
      const task = outputs.find((output) => output.kind === "event" && output.event.type === "task.started");
      started.set(n, task?.kind === "event" && "task" in task.event.data ? String(task.event.data.task) : "");
      return outputs;
    },
    progress: () => [],
    end: () => undefined,
    task: (n) => started.get(n) ?? "",
    beginTurn() {},
    endTurn: () => [],
  };
};

const subjects: Record<string, () => Subject> = {
  claude: claudeSubject,
  codex: codexSubject,
  gantry: gantrySubject,
  droid: droidSubject,
  gemini: acpSubject(gemini, (_, pid) => `Command moved to background (PID: ${pid}). Output hidden.`),
  qwen: acpSubject(qwen, (call, pid) => `Background shell bg_${call} started (pid ${pid}).`),
  kimi: acpSubject(kimi, (call, pid) => `task_id: bash-${call}\npid: ${pid}\nstatus: running\n`),
};

/** Only what concerns tasks: turns are those of the bench. */
const ofTasks = (outputs: readonly Output[]) =>
  outputs.filter(({ kind, ...rest }) => kind === "event" && /^(task|tool|subagent)\./.test(typeOf(rest)));
const typeOf = (rest: object) => ("event" in rest ? (rest.event as { type: string }).type : "");

type Move = { do: "start" | "progress" | "end" | "beginTurn" | "endTurn" | "restart" | "stop"; n: number };
const moves = fc.array(
  fc.record({
    do: fc.constantFrom<Move["do"]>(
      "start",
      "start",
      "progress",
      "end",
      "end",
      "beginTurn",
      "endTurn",
      "restart",
      "stop",
    ),
    n: fc.integer({ min: 0, max: 3 }),
  }),
  { maxLength: 25 },
);

class Run {
  readonly bench = new EngineBench();
  readonly running = new Set<number>();
  /** Started in the running turn, and not a task yet. */
  readonly early = new Set<number>();
  readonly subject: Subject;
  #messages = 0;

  constructor(subject: Subject) {
    this.subject = subject;
  }

  play({ do: what, n }: Move): void {
    const { bench, subject, running, early } = this;
    const runs = running.has(n) || early.has(n);
    if (what === "beginTurn" && !bench.view.turn) this.#beginTurn();
    if (what === "endTurn" && bench.view.turn) this.#endTurn();
    if (what === "restart") this.#restart();
    if (what === "start" && !runs && bench.view.turn) {
      bench.output(...ofTasks(subject.start(n)));
      (subject.startsLate ? early : running).add(n);
    }
    if (what === "progress" && runs) bench.output(...ofTasks(subject.progress(n)));
    if (what === "stop" && running.has(n)) bench.apply("stopTask", subject.task(n));
    if (what !== "end" || !runs) return;
    const outputs = subject.end(n);
    if (outputs) bench.output(...ofTasks(outputs));
    else bench.apply("taskProcessEnded", subject.task(n));
    running.delete(n);
    early.delete(n);
  }

  #beginTurn(): void {
    const id = `msg_${++this.#messages}`;
    this.bench.apply("send", { message: { id, text: "go", attachments: [], delivery: "auto", author: "user" } });
    this.subject.beginTurn();
  }

  #endTurn(): void {
    this.bench.output(...ofTasks(this.subject.endTurn()), { kind: "finish", outcome: "completed" });
    for (const n of this.early) this.running.add(n);
    this.early.clear();
  }

  /** The log and the mark survive; the decoder's state is restored after every frame anyway. */
  #restart(): void {
    let view: SessionView | undefined;
    for (const event of this.bench.events) view = foldSession(view, event);
    if (view) this.bench.state = { ...initialState(view), conversation: this.bench.state.conversation };
  }
}

describe.each(Object.entries(subjects))("tasks of %s", (_, makeSubject) => {
  it("run until they end, whatever happens around them, and end exactly once", () => {
    fc.assert(
      fc.property(moves, (sequence) => {
        const run = new Run(makeSubject());
        const { bench, subject } = run;
        for (const move of sequence) {
          run.play(move);
          const expected = [...run.running].map((n) => subject.task(n));
          expect(new Set(runningTasks(bench.view).map(({ task }) => task))).toEqual(new Set(expected));
          expect(faults(bench.events).broken).toEqual([]);
        }
        const left = runningTasks(bench.view).map(({ task }) => task);
        const before = bench.events.length;
        bench.apply("processExited", { code: null, signal: "SIGKILL" });
        const ends = bench.events.slice(before).flatMap((event) => (event.type === "task.ended" ? [event.data] : []));
        expect(new Set(ends.map(({ task }) => task))).toEqual(new Set(left));
        for (const end of ends)
          expect(end).toMatchObject({ status: "lost", reason: expect.stringContaining("SIGKILL") });
        expect(faults(bench.events)).toEqual({ broken: [], open: [] });
      }),
      { numRuns: 150 },
    );
  });
});
