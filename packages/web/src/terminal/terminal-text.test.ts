import type { Offer } from "@gantry/protocol";
import { expect, it } from "vitest";
import { exitText, tabNames } from "./terminal-text.ts";

it("describes how a program ended", () => {
  expect(exitText({ code: 0, signal: null })).toBe("The program has ended.");
  expect(exitText({ code: 127, signal: null })).toBe("The program ended with code 127.");
  expect(exitText({ code: null, signal: "SIGHUP" })).toBe("The program was ended by SIGHUP.");
});

it("names terminals by their programs and numbers duplicates", () => {
  const offer: Offer = { kind: "login", agent: "one", title: "Log in to One", command: ["one"], display: "one" };
  const shell = { command: ["/bin/bash", "-l"] };
  expect(tabNames([shell, { command: ["htop"] }, shell, { command: ["one"], offer }])).toEqual([
    "bash",
    "htop",
    "bash 2",
    "Log in to One",
  ]);
});
