import { PassThrough } from "node:stream";
import type { InputRequest } from "@gantry/protocol";
import { expect, test } from "vitest";
import { makeOutput } from "../program/output.ts";
import { terminalAsker } from "./ask.ts";

/** A terminal whose keys are pressed by the test. */
function keyboard() {
  const stdin = new PassThrough();
  const stdout = new PassThrough();
  let shown = "";
  stdout.setEncoding("utf8").on("data", (chunk: string) => {
    shown += chunk;
  });
  const output = makeOutput(
    {
      stdin: stdin as unknown as NodeJS.ReadStream,
      stdout: stdout as unknown as NodeJS.WriteStream,
      stderr: stdout as unknown as NodeJS.WriteStream,
      env: {},
    },
    { json: false, noColor: true },
  );
  const typeLines = async (...lines: string[]) => {
    for (const [index, line] of lines.entries()) {
      await expect.poll(() => (shown.match(/\? |: /g) ?? []).length, { timeout: 20_000 }).toBeGreaterThan(index);
      stdin.write(`${line}\n`);
    }
  };
  return { ask: terminalAsker(output), typed: typeLines, shown: () => shown };
}

const approval: InputRequest = {
  id: "inp_1",
  session: "ses_1",
  kind: "approval",
  title: "Run npm test",
  tool: { name: "Bash", kind: "execute", input: { command: "npm test" } },
  scope: { tool: "Bash", prefix: "npm test", label: "npm test …" },
  options: [],
  questions: [],
  blocking: true,
};
const never = new AbortController().signal;

test("answers with one letter and shows the scope of the answer", async () => {
  const { ask, typed, shown } = keyboard();
  const [answer] = await Promise.all([ask(approval, never), typed("s")]);
  expect(answer).toEqual({ decision: "allow_session" });
  expect(shown()).toContain("s for this session (npm test …)");
});

test("what is no answer is asked again; a denial may carry a message", async () => {
  const { ask, typed, shown } = keyboard();
  const [answer] = await Promise.all([ask(approval, never), typed("maybe", "m", "use the other script")]);
  expect(answer).toEqual({ decision: "deny", message: "use the other script" });
  expect(shown()).toContain("type one of y, s, n, m, e");
});

test("offers the requested command for editing", async () => {
  const { ask, typed } = keyboard();
  const [answer] = await Promise.all([ask(approval, never), typed("e", " --bail")]);
  expect(answer).toEqual({ decision: "allow", edits: { command: "npm test --bail" } });
});

test("questions are asked one after the other", async () => {
  const question = { options: [{ label: "Red" }, { label: "Blue" }], multi: false, freeform: true, secret: false };
  const input = {
    ...approval,
    questions: [
      { ...question, id: "a", header: "Colour", text: "Which?" },
      { ...question, id: "b", header: "Word", text: "And?", secret: true },
    ],
  };
  const { ask, typed, shown } = keyboard();
  const [answer] = await Promise.all([ask(input, never), typed("2", "hidden text")]);
  expect(answer).toEqual({ decision: "allow", answers: { a: "Blue", b: "hidden text" } });
  expect(shown()).not.toContain("hidden text");
});

test("withdraws a question that was answered elsewhere", async () => {
  const { ask } = keyboard();
  const settled = new AbortController();
  const answer = ask(approval, settled.signal);
  settled.abort();
  expect(await answer).toBeUndefined();
});
