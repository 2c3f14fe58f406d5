import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { ExtensionUi } from "../api/types.ts";
import { uiWithoutUser } from "../ui/no-user.ts";
import { blankExtension, type Loaded } from "./loaded.ts";
import { type ExtensionFailure, Supervisor } from "./supervise.ts";

const found = { kind: "module", name: "it", scope: "user", from: "", path: "/it.js", files: new Map() } as const;

function supervised(): { extension: Loaded; supervisor: Supervisor; reported: ExtensionFailure[] } {
  const reported: ExtensionFailure[] = [];
  return {
    extension: blankExtension(found, "active"),
    supervisor: new Supervisor((one) => reported.push(one)),
    reported,
  };
}

it("gives up at the deadline, whatever the extension does later", async () => {
  const { extension, supervisor, reported } = supervised();
  const late = Promise.withResolvers<string>();
  expect(await supervisor.run(extension, "hook", 20, () => late.promise)).toBeUndefined();
  late.resolve("too late");
  expect(reported).toEqual([{ name: "it", path: "/it.js", event: "hook", error: "It took longer than 0 s." }]);
  const rejected = Promise.withResolvers<string>();
  await supervisor.run(extension, "hook", 20, () => rejected.promise);
  rejected.reject(new Error("later"));
  await sleep(5);
  expect(reported).toHaveLength(1);
});

it("does not count the time in which a dialog waits for the user", async () => {
  const { extension, supervisor, reported } = supervised();
  const answer = Promise.withResolvers<boolean>();
  const asking: ExtensionUi = { ...uiWithoutUser(), confirm: () => answer.promise };
  const ui = supervisor.uiFor(extension, asking);
  const running = supervisor.run(extension, "hook", 50, () => ui.confirm("a", "b"));
  await sleep(120);
  answer.resolve(true);
  expect(await running).toEqual({ value: true });
  expect(reported).toEqual([]);
});

it("disables an extension after exactly three failures in a row at the same event, and reports each text once", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(fc.constantFrom("a", "b"), fc.boolean()), { maxLength: 20 }), async (steps) => {
      const { extension, supervisor, reported } = supervised();
      const inRow = { a: 0, b: 0 };
      let isDisabled = false;
      for (const [event, fails] of steps) {
        const done = await supervisor.run(extension, event, 1_000, () => {
          if (fails) throw new Error("broken");
          return "fine";
        });
        expect(done).toEqual(fails || isDisabled ? undefined : { value: "fine" });
        if (isDisabled) continue;
        inRow[event as "a" | "b"] = fails ? inRow[event as "a" | "b"] + 1 : 0;
        isDisabled = inRow[event as "a" | "b"] === 3;
      }
      expect(extension.state).toBe(isDisabled ? "disabled" : "active");
      const texts = reported.map(({ event, error }) => `${event} ${error}`);
      expect(new Set(texts).size).toBe(texts.length);
    }),
    { numRuns: 100 },
  );
});
