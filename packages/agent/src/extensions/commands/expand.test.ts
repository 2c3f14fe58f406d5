import fc from "fast-check";
import { expect, it } from "vitest";
import { commandLinesIn, matchesHook, readHookFile } from "../hooks/hook-file.ts";
import { expandCommand, splitArguments } from "./expand.ts";

it("never inserts arguments into commands, and inserts them everywhere else", async () => {
  await fc.assert(
    fc.asyncProperty(fc.string(), fc.constantFrom("$ARGUMENTS", "$1", "$2"), async (args, mark) => {
      const ran: string[] = [];
      const run = async (command: string) => {
        ran.push(command);
        return "OUTPUT";
      };
      const text = await expandCommand(`a ${mark} !\`echo ${mark}\` b`, args, { run, read: async () => undefined });
      expect(ran).toEqual([`echo ${mark}`]);
      const parts = splitArguments(args);
      const value = mark === "$ARGUMENTS" ? args : (parts[Number(mark.slice(1)) - 1] ?? "");
      expect(text).toBe(`a ${value} OUTPUT b`);
    }),
  );
});

it("reads any text as a hook file without throwing, and runs only commands that it lists", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      const { hooks } = readHookFile(text);
      for (const { command, timeoutMs } of hooks) {
        expect(command.trim()).not.toBe("");
        expect(timeoutMs).toBeGreaterThan(0);
      }
      expect(commandLinesIn(text).length).toBeGreaterThanOrEqual(hooks.length);
    }),
  );
  const hostile = {
    hooks: {
      PreToolUse: [
        { hooks: [{ type: "command", command: "x", timeout: 1e9 }, { type: "http", url: "y" }, 5, null] },
        7,
      ],
      __proto__: [],
    },
  };
  expect(readHookFile(JSON.stringify(hostile)).hooks).toMatchObject([{ command: "x", timeoutMs: 600_000 }]);
});

it.each([
  ["", ["bash"], true],
  ["*", ["bash"], true],
  ["Bash", ["Bash", "bash"], true],
  ["Edit|Write", ["Write", "write"], true],
  ["Edit|Write", ["MultiWrite"], false],
  ["mcp__.*", ["mcp__server__tool"], true],
  ["Bas", ["Bash"], false],
  ["(", ["("], true],
])("matches %j against %j: %s", (matcher, names, expected) => {
  expect(matchesHook(matcher, names)).toBe(expected);
});
