import type { AgentRow, Session } from "@gantry/protocol";
import { SessionServers } from "@gantry/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hunkTexts } from "../updates/diff.ts";
import { configOptions, readChoice } from "./config-options.ts";
import { readServers } from "./mcp-servers.ts";
import { readPrompt } from "./prompt-content.ts";

describe("prompts", () => {
  it("keep mentions in their sentence and embed small resources", () => {
    const blocks = [
      { type: "text", text: "Look at" },
      { type: "resource_link", uri: "file:///work/a%20b.ts", name: "a b.ts" },
      { type: "text", text: "and" },
      { type: "resource", resource: { uri: "file:///work/c.ts", text: "let c;" } },
    ];
    const { text, attachments } = readPrompt(blocks);
    expect(text).toBe('Look at @/work/a b.ts and\n<resource uri="file:///work/c.ts">\nlet c;\n</resource>\n');
    expect(attachments).toEqual([]);
  });

  it("turn images and large resources into attachments", () => {
    const large = { type: "resource", resource: { uri: "file:///work/big.txt", text: "x".repeat(40_000) } };
    const { text, attachments } = readPrompt([{ type: "image", data: "AA==", mimeType: "image/png" }, large]);
    expect(text).toBe("See the attached files.");
    expect(attachments).toMatchObject([{ name: "image-1.png", mime: "image/png", data: "AA==" }, { name: "big.txt" }]);
  });

  it("refuse audio and emptiness", () => {
    expect(() => readPrompt([{ type: "audio", data: "", mimeType: "audio/wav" }])).toThrow("audio");
    expect(() => readPrompt([])).toThrow("empty");
  });
});

it("gives every server of an editor a valid and unique name", () => {
  fc.assert(
    fc.property(fc.array(fc.string(), { maxLength: 10 }), (names) => {
      const servers = readServers(names.map((name) => ({ name, command: "/bin/x", args: [], env: [] })));
      expect(Object.keys(servers).length).toBe(names.length);
      expect(SessionServers.safeParse(servers).success).toBe(true);
    }),
  );
});

it("offers only choices that it accepts, with the current one among them", () => {
  const session = {
    mode: "ask",
    modeApplied: "inherit",
    model: "unlisted",
    controls: { fast: "on" },
  } as unknown as Session;
  const fast = { id: "fast", label: "Fast", choices: [{ id: "on", label: "On" }], live: true, maps: "x" };
  const row = {
    modes: ["plan", "ask"],
    models: { source: "live", items: [{ id: "m1", name: "M1", default: true, efforts: ["low"] }] },
    controls: { items: [fast], rules: [] },
  } as unknown as AgentRow;
  const options = configOptions(session, row);
  expect(options.map(({ id }) => id)).toEqual(["mode", "model", "effort", "control-fast"]);
  for (const { id, current, choices } of options) {
    expect(choices.map(({ value }) => value)).toContain(current);
    for (const { value } of choices) expect(Object.keys(readChoice(options, id, value)).length).toBe(1);
    expect(() => readChoice(options, id, "no such value")).toThrow();
  }
  expect(readChoice(options, "model", "default")).toEqual({ model: null });
  expect(readChoice(options, "control-fast", "on")).toEqual({ controls: { fast: "on" } });
});

it("splits a unified diff into the texts of its hunks", () => {
  const diff = "@@ -1,2 +1,2 @@\n a\n-b\n+c\n@@ -9 +9 @@\n-x\n+y";
  expect(hunkTexts({ path: "/f", kind: "update", diff })).toEqual([
    { path: "/f", before: "a\nb", after: "a\nc" },
    { path: "/f", before: "x", after: "y" },
  ]);
});
