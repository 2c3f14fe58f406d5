import { ladder, type Mode } from "@gantry/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Output } from "../../../agents/contract.ts";
import { EngineBench, fakeConversation } from "./engine.fake.ts";

/** A live session in a mode, with a process that has not opened its conversation yet. */
function sessionIn(mode: Mode): EngineBench {
  const bench = new EngineBench();
  bench.context.enforcesModes = true;
  bench.do((step) => step.emit("session.updated", { patch: { mode, modeApplied: mode } }));
  bench.state = { ...bench.state, conversation: fakeConversation({ ready: false }) };
  const message = { id: "msg_a", text: "go", attachments: [], delivery: "auto" as const, author: "user" };
  bench.apply("send", { message });
  return bench;
}

const ready = (mode?: Mode, native?: string): Output => ({
  kind: "ready",
  ...(mode ? { mode } : {}),
  ...(native ? { native } : {}),
});
const changed = (to: Mode): Output => ({ kind: "event", event: { type: "mode.changed", data: { to, native: "n" } } });
const notices = (bench: EngineBench) =>
  bench.events.flatMap((event) => (event.type === "notice" ? [event.data.kind] : []));

describe("the mode that an agent reports", () => {
  it("becomes the applied mode and is confirmed", () => {
    const bench = sessionIn("auto-edit");
    bench.output(ready("ask", "default"));
    expect(bench.view).toMatchObject({
      mode: "auto-edit",
      modeApplied: "ask",
      modeConfirmed: true,
      modeNative: "default",
    });
    expect(bench.commands).toMatchObject([{ type: "prompt" }]);
  });

  it("is shown for inherit, also where Gantry has no name for it", () => {
    const known = sessionIn("inherit");
    known.output(ready("full-auto", "yolo"));
    expect(known.view).toMatchObject({ mode: "inherit", modeApplied: "full-auto", modeConfirmed: true });
    const unknown = sessionIn("inherit");
    unknown.output(ready(undefined, "build"));
    expect(unknown.view).toMatchObject({ modeApplied: "inherit", modeConfirmed: true, modeNative: "build" });
  });

  it("stays unconfirmed if the report does not prove which mode applies", () => {
    const bench = sessionIn("ask");
    bench.output(ready(undefined, "agent"));
    expect(bench.view).toMatchObject({ modeApplied: "ask", modeConfirmed: false, modeNative: "agent" });
    const silent = sessionIn("ask");
    silent.output(ready());
    expect(silent.view.modeConfirmed).toBeUndefined();
  });

  it("stops the agent before it gets a prompt if it allows more than the requested mode", () => {
    const rungs = fc.constantFrom(...ladder);
    fc.assert(
      fc.property(rungs, rungs, (requested, reported) => {
        const bench = sessionIn(requested);
        bench.output(ready(reported));
        const above = ladder.indexOf(reported) > ladder.indexOf(requested);
        expect(bench.view.turn === undefined).toBe(above);
        expect(bench.commands.some(({ type }) => type === "prompt")).toBe(!above);
        expect(bench.effects.some(({ type }) => type === "stop")).toBe(above);
      }),
    );
  });

  it("may be the strictest one of an agent without the requested mode, and nothing above it", () => {
    const offered = ["ask", "auto-edit", "full-auto", "inherit"] as const;
    for (const reported of ["ask", "auto-edit", "full-auto"] as const) {
      const bench = sessionIn("plan");
      bench.context.agent = { ...bench.context.agent, offeredModes: offered };
      bench.output(ready(reported));
      const prompts = bench.commands.filter(({ type }) => type === "prompt").length;
      expect([reported, prompts, bench.view.modeApplied]).toEqual([reported, reported === "ask" ? 1 : 0, reported]);
    }
  });

  it("is not judged in a recording", () => {
    const bench = sessionIn("plan");
    bench.context.enforcesModes = false;
    bench.output(ready("full-auto"));
    expect(bench.view.turn).toBeDefined();
  });
});

describe("an agent that breaks its mode", () => {
  it("gets a notice when the agent raises its mode without a request", () => {
    const bench = sessionIn("ask");
    bench.output(ready("ask"), changed("full-auto"));
    expect(bench.view).toMatchObject({ mode: "ask", modeApplied: "full-auto" });
    expect(notices(bench)).toEqual(["mode_broken"]);
  });

  const write = (path: string, status: "ok" | "denied" = "ok"): Output[] => [
    {
      kind: "event",
      event: { type: "tool.started", data: { item: "itm_1", name: "Write", kind: "edit", title: path } },
    },
    {
      kind: "event",
      event: { type: "tool.ended", data: { item: "itm_1", status, changes: [{ path, kind: "add" }] } },
    },
  ];

  it("gets a notice when it changes a file in plan mode", () => {
    const bench = sessionIn("plan");
    bench.output(ready("plan"), ...write("/work/project/a.txt"));
    expect(notices(bench)).toEqual(["mode_broken"]);
  });

  it("gets none for a denied write, for a plan outside the folder, or in another mode", () => {
    const denied = sessionIn("plan");
    denied.output(ready("plan"), ...write("/work/project/a.txt", "denied"));
    const plan = sessionIn("plan");
    plan.output(ready("plan"), ...write("/home/dev/.agent/plans/a.md"));
    plan.output(...write("/work/project/../.agent/plans/a.md"));
    const ask = sessionIn("ask");
    ask.output(ready("ask"), ...write("/work/project/a.txt"));
    expect([denied, plan, ask].flatMap(notices)).toEqual([]);
  });

  it("gets none for a write that a person allowed", () => {
    const bench = sessionIn("plan");
    const [started, ended] = write("/work/project/a.txt");
    const request = { kind: "approval" as const, title: "Write?", item: "itm_1" };
    bench.output(ready("plan"), started as Output, { kind: "ask", key: "1", request });
    bench.apply("answerInput", { id: bench.view.inputs[0]?.id ?? "", answer: { decision: "allow" } });
    bench.output(ended as Output);
    expect(notices(bench)).toEqual([]);
  });
});

describe("an approved plan", () => {
  const plan: Output = {
    kind: "ask",
    key: "1",
    request: {
      kind: "plan",
      title: "Carry it out?",
      options: [
        { id: "approve", label: "Approve", effect: "allow_once" },
        { id: "edit", label: "Approve and edit", effect: "allow_once", mode: "auto-edit" },
        { id: "no", label: "Keep planning", effect: "deny" },
      ],
    },
  };
  const answerPlan = (bench: EngineBench, answer: { decision: "allow" | "deny"; option?: string }) => {
    bench.output(ready("plan"), plan);
    bench.apply("answerInput", { id: bench.view.inputs[0]?.id ?? "", answer });
  };

  it("changes the session's mode at once, to that of the chosen answer", () => {
    const plain = sessionIn("plan");
    answerPlan(plain, { decision: "allow" });
    expect(plain.view.mode).toBe("ask");
    const edits = sessionIn("plan");
    answerPlan(edits, { decision: "allow", option: "edit" });
    expect(edits.view.mode).toBe("auto-edit");
    const no = sessionIn("plan");
    answerPlan(no, { decision: "deny", option: "no" });
    expect(no.view.mode).toBe("plan");
  });

  it("takes the mode that the agent reports next, and only in the same turn", () => {
    const bench = sessionIn("plan");
    answerPlan(bench, { decision: "allow" });
    bench.output(changed("auto-edit"));
    expect(bench.view).toMatchObject({ mode: "auto-edit", modeApplied: "auto-edit" });
    bench.output({ kind: "finish", outcome: "completed" }, changed("full-auto"));
    expect(bench.view.mode).toBe("auto-edit");
    expect(notices(bench)).toEqual(["mode_broken"]);
  });

  it("keeps the mode when the process ends and the next one starts", () => {
    const bench = sessionIn("plan");
    answerPlan(bench, { decision: "allow", option: "edit" });
    bench.output({ kind: "finish", outcome: "completed" });
    bench.state = { ...bench.state, conversation: fakeConversation({ ready: false }) };
    bench.output(ready("auto-edit"));
    expect(bench.view).toMatchObject({ mode: "auto-edit", modeApplied: "auto-edit", modeConfirmed: true });
  });

  it("keeps the mode of a session whose agent made a plan outside of plan mode", () => {
    const bench = sessionIn("full-auto");
    bench.output(ready("full-auto"), changed("plan"), plan);
    bench.apply("answerInput", { id: bench.view.inputs[0]?.id ?? "", answer: { decision: "allow" } });
    expect(bench.view.mode).toBe("full-auto");
  });
});

describe("an agent whose own configuration asks for more than the mode", () => {
  const ask = (kind: string, path: string, command?: string): Output => ({
    kind: "ask",
    key: "1",
    request: {
      kind: "approval",
      title: "?",
      tool: { name: "t", kind, input: { path }, ...(command ? { command } : {}) },
    },
  });
  const answeredBy = (mode: Mode, request: Output, answeredModes: Mode[] = ["auto-edit", "full-auto"]) => {
    const bench = sessionIn(mode);
    bench.context.agent.answeredModes = answeredModes;
    bench.output(ready(mode), request);
    const answered = bench.events.findLast((event) => event.type === "input.resolved");
    return answered?.type === "input.resolved" ? answered.data.by : undefined;
  };

  it("is answered by the mode where the mode promises not to ask", () => {
    expect(answeredBy("full-auto", ask("execute", "/etc", "rm x"))).toBe("mode:full-auto");
    expect(answeredBy("auto-edit", ask("edit", "src/a.ts"))).toBe("mode:auto-edit");
  });

  it("covers edits in the session's further folders", () => {
    const bench = sessionIn("auto-edit");
    bench.context.agent.answeredModes = ["auto-edit"];
    bench.do((step) => step.emit("session.updated", { patch: { folders: ["/srv/library"] } }));
    bench.output(ready("auto-edit"), ask("edit", "/srv/library/a.txt"), {
      ...ask("edit", "/srv/library-2/a"),
      key: "2",
    } as Output);
    const answers = bench.events.flatMap((event) => (event.type === "input.resolved" ? [event.data.by] : []));
    expect(answers).toEqual(["mode:auto-edit"]);
  });

  it("still asks a person for everything else", () => {
    expect(answeredBy("auto-edit", ask("execute", "a", "ls"))).toBeUndefined();
    for (const path of ["/etc/passwd", "../other/a", "/work/project-2/a"])
      expect(answeredBy("auto-edit", ask("edit", path))).toBeUndefined();
    for (const mode of ["plan", "ask", "inherit"] as const)
      expect(answeredBy(mode, ask("edit", "a"), [...ladder])).toBeUndefined();
    expect(answeredBy("full-auto", ask("edit", "a"), [])).toBeUndefined();
    const question: Output = { kind: "ask", key: "1", request: { kind: "question", title: "?" } };
    expect(answeredBy("full-auto", question)).toBeUndefined();
  });
});
