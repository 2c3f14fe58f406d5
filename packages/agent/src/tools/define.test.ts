import { describe, expect, test } from "vitest";
import { z } from "zod";
import { type ToolContext, ToolError } from "../contract/tool.ts";
import { defineTool } from "./define.ts";

const schema = z.object({
  path: z.string().describe("where"),
  limit: z.number().int().min(1).optional(),
  all: z.boolean().default(false),
  paths: z.array(z.string()).optional(),
  edits: z.array(z.object({ from: z.number() })).optional(),
});
const place = { cwd: "/", folders: [], env: {} };
const context = { ...place, signal: new AbortController().signal } as unknown as ToolContext;

const echo = defineTool({
  name: "echo",
  label: "Echo",
  description: "returns its arguments",
  schema,
  actions: (args) => {
    if (args.path === "bad") throw new ToolError("bad path");
    return [{ kind: "file.read", path: args.path }];
  },
  run: async (args) => JSON.stringify(args),
});

async function answer(args: unknown): Promise<unknown> {
  const prepared = echo.prepare(args, place);
  if ("invalid" in prepared) return prepared.invalid;
  const [block] = (await prepared.run(context)).content;
  return block?.type === "text" ? JSON.parse(block.text) : undefined;
}

describe("defineTool", () => {
  test("produces a JSON Schema in which fields with a default are optional", () => {
    expect(echo.spec.parameters).toMatchObject({ type: "object", required: ["path"] });
    expect(echo.spec.parameters).not.toHaveProperty("$schema");
  });

  test("tolerates slips with one possible meaning", async () => {
    expect(await answer({ path: "a", limit: "5", all: "true" })).toEqual({ path: "a", limit: 5, all: true });
    expect(await answer({ path: "a", paths: '["x","y"]' })).toMatchObject({ paths: ["x", "y"] });
    expect(await answer({ path: "a", paths: "x" })).toMatchObject({ paths: ["x"] });
    expect(await answer({ path: "a", edits: '[{"from":"3"}]' })).toMatchObject({ edits: [{ from: 3 }] });
    expect(await answer({ path: "a", limit: null })).toEqual({ path: "a", all: false });
    expect(await answer({ path: 7 })).toMatchObject({ path: "7" });
    expect(await answer('{"path":"a"}')).toMatchObject({ path: "a" });
  });

  test("leaves a string unchanged that looks like JSON where a string is expected", async () => {
    expect(await answer({ path: "[1]" })).toMatchObject({ path: "[1]" });
  });

  test("reports path and expectation of an invalid argument", async () => {
    expect(await answer({ path: "a", limit: "many" })).toMatch(/limit: .*number/);
    expect(await answer({})).toMatch(/path: .*string/);
    expect(await answer(undefined)).toMatch(/path/);
    expect(await answer({ path: "a", edits: [{}] })).toMatch(/edits\[0\]\.from/);
    expect(await answer({ path: "bad" })).toBe("bad path");
  });

  test("turns aborts and failures into ToolErrors", async () => {
    const failing = defineTool({ ...definition(), run: () => Promise.reject(new TypeError("oops")) });
    const prepared = failing.prepare({}, place);
    if ("invalid" in prepared) throw new Error(prepared.invalid);
    await expect(prepared.run(context)).rejects.toThrow(ToolError);
    const aborted = { ...context, signal: AbortSignal.abort() };
    await expect(prepared.run(aborted)).rejects.toThrow("Aborted");
  });
});

function definition() {
  return { name: "x", label: "X", description: "", schema: z.object({}), actions: () => [] };
}
