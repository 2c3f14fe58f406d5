import type { AgentRow } from "@gantry/protocol";
import { expect, test } from "vitest";
import { type Completable, slashItems } from "./attach-completion.ts";
import { COMMANDS, meaningOf } from "./attach-line.ts";

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
const valuesOf = (name: string, from = known) =>
  slashItems(from)
    .find((item) => item.name === name)
    ?.values?.()
    .map(({ value }) => value);

test("lists the agent's commands after those of attach, each name once", () => {
  const names = slashItems(known).map(({ name }) => name);
  expect(names).toEqual([...COMMANDS.map(({ name }) => name.slice(1)), "compact", "code-review"]);
  expect(slashItems(known).find(({ name }) => name === "clear")?.description).toBe("empty the queue");
});

test("completes the values of settings", () => {
  expect(valuesOf("mode")).toEqual(["plan", "ask"]);
  expect(valuesOf("model")).toEqual(["big", "small"]);
  expect(valuesOf("effort")).toEqual(["low", "high"]);
  expect(valuesOf("effort", { ...known, session: {} })).toEqual([]);
  expect(valuesOf("control")).toEqual([
    "sandbox=read-only",
    "sandbox=full",
    "sandbox=default",
    "style=Terse",
    "style=default",
  ]);
  expect(valuesOf("send")).toEqual(["/compact", "/code-review", "/clear"]);
});

test("knows the modes before the daemon answered", () => {
  expect(valuesOf("mode", { session: {}, commands: [] })).toContain("full-auto");
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
