import { existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import type { ModelRequest } from "@gantry/models";
import { afterEach, beforeEach, expect, test } from "vitest";
import { brokenLaws, FakeModel, startSession } from "../session/testing/fakes.fake.ts";
import { createSessionStore } from "../session-files/open.ts";
import { fileTools } from "./file-tools.ts";
import { TestPlace } from "./testing-place.ts";

let place: TestPlace;
beforeEach(() => {
  place = new TestPlace();
});
afterEach(() => place.dispose());

const call = (name: string, args: Record<string, unknown>) => ({ calls: [{ name, args }] });

/** The last tool result in the request. */
function lastResult(request: ModelRequest): string {
  const last = request.messages.findLast((message) => message.role === "toolResult");
  return last?.content.map((block) => (block.type === "text" ? block.text : "")).join("\n") ?? "";
}

async function run(model: FakeModel, mode: "plan" | "ask" | "auto-edit" | "full-auto") {
  const store = createSessionStore({ cwd: place.cwd, inMemory: true });
  const started = await startSession(model, { cwd: place.cwd, store, mode, tools: fileTools() });
  await started.session.prompt("go");
  await started.session.waitUntilSettled();
  await started.session.dispose();
  expect(brokenLaws(started.events)).toEqual([]);
  return started;
}

test("a model reads a file and edits it by its anchors", async () => {
  writeFileSync(place.path("a.ts"), "const a = 1;\nconst b = 2;\n");
  const model = new FakeModel(
    call("read", { path: "a.ts" }),
    (request) =>
      call("edit", { input: `§a.ts\n≔${/(\d+[a-z]{2})\|const b/.exec(lastResult(request))![1]}\nconst b = 3;` }),
    (request) => ({ text: lastResult(request) }),
  );
  const { session } = await run(model, "auto-edit");
  expect(readFileSync(place.path("a.ts"), "utf8")).toBe("const a = 1;\nconst b = 3;\n");
  expect(session.lastAssistantText()).toContain("|const b = 3;");
});

test("a link out of the folder does not bypass the mode", async () => {
  const outside = new TestPlace();
  symlinkSync(outside.cwd, place.path("link"));
  const answers: string[] = [];
  const model = new FakeModel(
    call("write", { path: "link/x", content: "no" }),
    (request) => {
      answers.push(lastResult(request));
      return call("write", { path: "inside", content: "yes" });
    },
    { text: "done" },
  );
  await run(model, "auto-edit");
  expect(existsSync(outside.path("x"))).toBe(false);
  expect(readFileSync(place.path("inside"), "utf8")).toBe("yes");
  expect(answers[0]).toContain(outside.path("x"));
  outside.dispose();
});

test("plan mode changes nothing, and still reads", async () => {
  writeFileSync(place.path("a"), "here\n");
  const seen: string[] = [];
  const model = new FakeModel(
    call("write", { path: "a", content: "gone" }),
    call("grep", { pattern: "here" }),
    (request) => {
      seen.push(lastResult(request));
      return { text: "done" };
    },
  );
  await run(model, "plan");
  expect(readFileSync(place.path("a"), "utf8")).toBe("here\n");
  expect(seen[0]).toContain("|here");
});
