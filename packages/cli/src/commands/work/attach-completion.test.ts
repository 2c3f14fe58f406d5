import type { AgentRow } from "@gantry/protocol";
import { expect, test } from "vitest";
import { type Completable, completeLine } from "./attach-completion.ts";
import { meaningOf, OWN_COMMANDS } from "./attach-line.ts";

const choice = (id: string) => ({ id, label: id });
const known: Completable = {
  session: { model: "big", controlChoices: { style: ["Terse"] } },
  row: {
    modes: ["plan", "ask"],
    models: {
      source: "live",
      items: [
        { id: "big", name: "Big", default: false, efforts: ["low", "high"] },
        { id: "small", name: "Small", default: true, efforts: [] },
      ],
    },
    controls: {
      items: [
        {
          id: "sandbox",
          label: "Sandbox",
          choices: [choice("read-only"), choice("full")],
          live: true,
          maps: "sandbox",
        },
        { id: "style", label: "Style", choices: [], open: true, live: false, maps: "style" },
      ],
      rules: [],
    },
  } satisfies Pick<AgentRow, "modes" | "models" | "controls">,
  commands: [{ name: "compact" }, { name: "code-review" }, { name: "clear" }],
};
const matches = (text: string) => completeLine(text, known).matches;

test("completes the agent's commands next to those of attach", () => {
  expect(matches("/co")).toEqual(["/control", "/context", "/compact", "/code-review"]);
  expect(matches("/comp")).toEqual(["/compact "]);
  expect(matches("/cl")).toEqual(["/clear "]);
  expect(matches("/")).toEqual(expect.arrayContaining([...OWN_COMMANDS, "/compact"]));
  expect(matches("/send /code")).toEqual(["/code-review "]);
  expect(matches("/send fix")).toEqual([]);
});

test("completes the values of settings", () => {
  expect(matches("/mode p")).toEqual(["plan"]);
  expect(matches("/model ")).toEqual(["big", "small"]);
  expect(matches("/effort h")).toEqual(["high"]);
  expect(matches("/fast o")).toEqual(["on", "off"]);
  expect(matches("/tasks s")).toEqual(["stop"]);
  expect(completeLine("/effort ", { ...known, session: {} }).matches).toEqual([]);
});

test("completes the names of controls, then their choices", () => {
  expect(matches("/control s")).toEqual(["sandbox=", "style="]);
  expect(completeLine("/control sandbox=r", known)).toEqual({
    matches: ["sandbox=read-only"],
    replaced: "sandbox=r",
  });
  expect(matches("/control style=")).toEqual(["style=Terse", "style=default"]);
  expect(matches("/control absent=")).toEqual([]);
});

test("completes nothing in a message, and knows the modes before the daemon answered", () => {
  for (const text of ["", "hello", "hello /co", "a\n/co"]) expect(matches(text)).toEqual([]);
  expect(completeLine("/mode f", { session: {}, commands: [] }).matches).toEqual(["full-auto"]);
});

test("sends the agent's own command as a message, and each command of attach has a meaning", () => {
  const { commands } = known;
  expect(meaningOf("/compact now", undefined, {}, commands)).toEqual({
    do: "send",
    text: "/compact now",
    delivery: "auto",
  });
  expect(meaningOf("/clear", undefined, {}, commands)).toEqual({ do: "clear" });
  expect(meaningOf("/send /clear", undefined, {}, commands)).toMatchObject({ do: "send", text: "/clear" });
  expect(meaningOf("/compact", undefined, {}, []).do).toBe("print");
});
