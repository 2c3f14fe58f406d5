import { expect, test, vi } from "vitest";
import type { TodoPhase } from "../contract/events.ts";
import { createSessionStore } from "../session-files/open.ts";
import { todoTool } from "../tools/todo/tool.ts";
import type { SessionOptions } from "./options.ts";
import { brokenLaws, FakeModel, type Started, settingsWith, startSession } from "./testing/fakes.fake.ts";

const equip: SessionOptions["equip"] = (own) => ({ tools: () => [todoTool(own.todos)] });
const plan = (...rows: [string, TodoPhase["tasks"][number]["status"]][]): TodoPhase[] => [
  { name: "Work", tasks: rows.map(([content, status]) => ({ content, status })) },
];
const list = plan(["read", "completed"], ["write", "in_progress"], ["test", "pending"]);
const done = { calls: [{ name: "todo_write", args: { ops: [{ op: "done" }] } }] };
const reminders = ({ events }: Started) => events.filter((each) => each.type === "todo_reminder");

async function runToEnd(model: FakeModel, options: Partial<SessionOptions> = {}): Promise<Started> {
  const started = await startSession(model, { equip, mode: "auto-edit", ...options });
  started.session.setTodos(list);
  await started.session.prompt("go");
  await started.session.waitUntilSettled();
  expect(brokenLaws(started.events)).toEqual([]);
  return started;
}

test("reminds a model that stops with open todos", async () => {
  const model = new FakeModel({ text: "I am done." }, done, { text: "Now I am." });
  const started = await runToEnd(model);
  expect(reminders(started)).toEqual([
    {
      type: "todo_reminder",
      todos: [
        { content: "write", status: "in_progress" },
        { content: "test", status: "pending" },
      ],
      attempt: 1,
      maxAttempts: 3,
    },
  ]);
  const reminder = JSON.stringify(model.requests[1]?.request.messages.at(-1));
  expect(reminder).toContain("- write (in progress)\\n- test");
  expect(started.session.lastAssistantText()).toBe("Now I am.");
  await started.session.dispose();
});

test("limits reminders per user message, and sends none in plan mode or when disabled", async () => {
  const model = new FakeModel(...Array.from({ length: 20 }, () => ({ text: "Done." })));
  const started = await runToEnd(model);
  expect(model.requests).toHaveLength(4);
  expect(reminders(started).map((each) => each.type === "todo_reminder" && each.attempt)).toEqual([1, 2, 3]);
  await started.session.prompt("more");
  await started.session.waitUntilSettled();
  expect(reminders(started)).toHaveLength(6);
  expect(reminders(await runToEnd(new FakeModel({ text: "The plan." }), { mode: "plan" }))).toEqual([]);
  const off = settingsWith((settings) => {
    settings.todo.reminders = false;
  });
  expect(reminders(await runToEnd(new FakeModel({ text: "Done." }), { settings: off }))).toEqual([]);
  await started.session.dispose();
});

test("clears finished todos after a delay, also across a resume", async () => {
  vi.useFakeTimers();
  const store = createSessionStore({ cwd: "/", inMemory: true });
  const { session, events } = await startSession(new FakeModel(), { store });
  session.setTodos(list);
  await vi.advanceTimersByTimeAsync(59_000);
  expect(session.state().todoPhases).toEqual(list);
  await vi.advanceTimersByTimeAsync(2_000);
  const left = plan(["write", "in_progress"], ["test", "pending"]);
  expect(session.state().todoPhases).toEqual(left);
  expect(events.map(({ type }) => type)).toEqual(["todos_changed", "todos_changed", "todo_auto_clear"]);
  session.setTodos(plan(["write", "completed"], ["test", "abandoned"]));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(session.state().todoPhases).toEqual([]);
  const again = await startSession(new FakeModel(), { store });
  expect(again.session.state().todoPhases).toEqual([]);
  vi.useRealTimers();
});

test("does not clear a list without a delay or of a session that was closed", async () => {
  vi.useFakeTimers();
  const settings = settingsWith((each) => {
    each.tasks.todoClearDelay = -1;
  });
  const never = await startSession(new FakeModel(), { settings });
  never.session.setTodos(list);
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(never.session.state().todoPhases).toEqual(list);
  const left = await startSession(new FakeModel());
  left.session.setTodos(list);
  await left.session.newSession();
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(left.events.some(({ type }) => type === "todo_auto_clear")).toBe(false);
  vi.useRealTimers();
});
