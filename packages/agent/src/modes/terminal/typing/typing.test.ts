import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { readBindings } from "./bindings.ts";

describe("keybindings.json", () => {
  const folder = mkdtempSync(join(tmpdir(), "gantry-keys-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "keybindings.json");

  it("binds, unbinds, and reports invalid entries", () => {
    const chosen = { "app.interrupt": "Ctrl+X", "app.exit": [], "app.nonsense": "Alt+H", "app.clear": 5 };
    writeFileSync(file, JSON.stringify(chosen));
    const bindings = readBindings(file);
    expect(bindings.actionOf("ctrl+x")).toBe("app.interrupt");
    expect(bindings.actionOf("esc")).toBeUndefined();
    expect(bindings.actionOf("ctrl+d")).toBeUndefined();
    expect(bindings.actionOf("ctrl+c")).toBe("app.clear");
    expect(bindings.problems).toHaveLength(2);
  });

  it.each(["{", "[]", "7"])("is left alone when it is %s", (text) => {
    writeFileSync(file, text);
    const bindings = readBindings(file);
    expect(bindings.problems).toHaveLength(1);
    expect(bindings.actionOf("esc")).toBe("app.interrupt");
  });

  it("accepts old names and actions of other programs", () => {
    writeFileSync(file, '{"cycleModelForward": "Ctrl+Y", "app.stt.toggle": [], "app.nonsense": "x"}');
    const bindings = readBindings(file);
    expect(bindings.actionOf("ctrl+y")).toBe("app.model.cycleForward");
    expect(bindings.problems).toEqual([expect.stringContaining("app.nonsense")]);
  });
});
