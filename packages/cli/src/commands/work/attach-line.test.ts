import type { InputRequest } from "@gantry/protocol";
import { expect, test } from "vitest";
import { meaningOf } from "./attach-line.ts";

const asked: InputRequest = {
  id: "inp_1",
  session: "ses_1",
  kind: "approval",
  title: "Run ls",
  tool: { name: "Bash", kind: "execute", input: { command: "ls" } },
  options: [],
  questions: [],
  blocking: true,
};
const question = (id: string) => ({ id, text: id, options: [], multi: false, freeform: true, secret: false });

test("sends a line as a message unless an input is pending", () => {
  expect(meaningOf("hello there", undefined, {})).toEqual({ do: "send", text: "hello there", delivery: "auto" });
  expect(meaningOf("y", undefined, {})).toEqual({ do: "send", text: "y", delivery: "auto" });
  expect(meaningOf("y", asked, {})).toEqual({ do: "answer", answer: { decision: "allow" } });
  expect(meaningOf("yes please do", asked, {}).do).toBe("print");
  expect(meaningOf("  ", asked, {})).toEqual({ do: "nothing" });
});

test("slashes command", () => {
  expect(meaningOf("/quit", asked, {})).toEqual({ do: "quit" });
  expect(meaningOf("/stop", undefined, {})).toEqual({ do: "stop" });
  expect(meaningOf("/steer use b", undefined, {})).toEqual({ do: "send", text: "use b", delivery: "steer" });
  expect(meaningOf("/queue", undefined, {}).do).toBe("print");
  expect(meaningOf("/unknown", undefined, {}).do).toBe("print");
});

test("sends a text that begins with a path", () => {
  expect(meaningOf("/etc/hosts is wrong", undefined, {})).toMatchObject({ do: "send", text: "/etc/hosts is wrong" });
});

test("/takeback takes back the last message, or the one at a place", () => {
  expect(meaningOf("/takeback", undefined, {})).toEqual({ do: "takeBack" });
  expect(meaningOf("/takeback 2", asked, {})).toEqual({ do: "takeBack", place: 2 });
});

test("/tasks lists background tasks, and stops one by its place or id", () => {
  expect(meaningOf("/tasks", undefined, {})).toEqual({ do: "tasks" });
  expect(meaningOf("/tasks stop 2", asked, {})).toEqual({ do: "stopTask", place: "2" });
  expect(meaningOf("/tasks stop", undefined, {}).do).toBe("print");
  expect(meaningOf("/tasks all", undefined, {}).do).toBe("print");
});

test("asks for a message or an edit that the line does not contain", () => {
  expect(meaningOf("m", asked, {})).toEqual({ do: "prefill", text: "m " });
  expect(meaningOf("m not now", asked, {})).toEqual({ do: "answer", answer: { decision: "deny", message: "not now" } });
  expect(meaningOf("e", asked, {})).toEqual({ do: "prefill", text: "e ls" });
  expect(meaningOf("e ls -l", asked, {})).toEqual({
    do: "answer",
    answer: { decision: "allow", edits: { command: "ls -l" } },
  });
});

test("several questions are answered one line after the other", () => {
  const two = { ...asked, tool: undefined, questions: [question("a"), question("b")] };
  expect(meaningOf("one", two, {})).toEqual({ do: "collect", answers: { a: "one" } });
  expect(meaningOf("two", two, { a: "one" })).toEqual({
    do: "answer",
    answer: { decision: "allow", answers: { a: "one", b: "two" } },
  });
});

test("changes settings of the session, also while an input is pending", () => {
  const set = (line: string) => meaningOf(line, asked, {});
  expect(set("/mode plan")).toEqual({ do: "set", changes: { mode: "plan" } });
  expect(set("/model gpt-5")).toEqual({ do: "set", changes: { model: "gpt-5" } });
  expect(set("/effort high")).toEqual({ do: "set", changes: { effort: "high" } });
  expect(set("/fast off")).toEqual({ do: "set", changes: { controls: { fast: "off" } } });
  expect(set("/control sandbox = read-only")).toEqual({ do: "set", changes: { controls: { sandbox: "read-only" } } });
  expect(set("/control style=a=b c")).toEqual({ do: "set", changes: { controls: { style: "a=b c" } } });
  expect(set("/control sandbox default")).toEqual({ do: "set", changes: { controls: { sandbox: null } } });
  expect(set("/set")).toEqual({ do: "set", changes: {} });
  expect(set("/mode")).toMatchObject({ do: "print" });
  expect(set("/control sandbox")).toMatchObject({ do: "print" });
});
