import { isModeWithin, ladder, Mode, type SessionView } from "@gantry/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkFields, checkMode, defaultMode } from "./rules.ts";

const modes = Mode.options;
const on = (mode: Mode, modeApplied?: Mode) => ({ id: "ses_p", mode, modeApplied }) as SessionView;

describe("a mode", () => {
  it("is within another if it is not above it on the ladder", () => {
    for (const wanted of ladder) {
      for (const limit of ladder)
        expect(isModeWithin(wanted, limit)).toBe(ladder.indexOf(wanted) <= ladder.indexOf(limit));
    }
  });

  it("treats an agent's own configuration as unknown permission", () => {
    expect(modes.filter((limit) => isModeWithin("inherit", limit))).toEqual(["full-auto", "inherit"]);
    expect(modes.filter((wanted) => isModeWithin(wanted, "inherit"))).toEqual(["plan", "ask", "inherit"]);
  });

  it("never rises over any number of generations", () => {
    const chain = fc.array(fc.constantFrom(...modes), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(fc.constantFrom(...ladder), chain, (first, wishes) => {
        const above = [on(first)];
        for (const wish of wishes) {
          try {
            checkMode(wish, above, "x");
          } catch {
            continue;
          }
          above.unshift(on(wish));
        }
        const reached = above.map(({ mode }) => mode).filter((mode) => mode !== "inherit");
        for (const mode of reached) expect(ladder.indexOf(mode as never)).toBeLessThanOrEqual(ladder.indexOf(first));
        if (first !== "full-auto") expect(above.map(({ mode }) => mode)).not.toContain("inherit");
      }),
    );
  });

  it("is limited by the mode that the parent really runs in, and defaults to the usual one or lower", () => {
    expect(() => checkMode("full-auto", [on("full-auto", "ask")], "A new session")).toThrow(/runs in ask/);
    expect(modes.map((mode) => defaultMode(on(mode)))).toEqual(["plan", "ask", "ask", "ask", "ask"]);
  });
});

describe("fields", () => {
  it.each([
    ["create", { agent: "a", env: { A: "b" } }, "env"],
    ["create", { agent: "a", resume: "x" }, "resume"],
    ["create", { agent: "a", anythingNew: 1 }, "anythingNew"],
    ["change", { title: "x", budget: 5 }, "budget"],
  ] as const)("that are people's are refused: %s %j", (what, body, field) => {
    expect(() => checkFields(what, body)).toThrow(
      expect.objectContaining({ code: "not_permitted", message: expect.stringContaining(field) }),
    );
  });

  it("accepts the fields that an agent may set", () => {
    checkFields("create", { agent: "a", prompt: "x", mode: "ask", env: undefined, wake: false });
    checkFields("change", { archived: true, title: "x" });
  });
});
