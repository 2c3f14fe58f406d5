import { describe, expect, test } from "vitest";
import { ToolError } from "../../contract/tool.ts";
import { atJsonPath } from "./json-path.ts";
import { createUrlRouter } from "./router.ts";

const signal = new AbortController().signal;
const router = createUrlRouter({
  artifact: (id) => (id === "1" ? "stored" : undefined),
  agent: (id) => ({ "0-Job": '{"a":[{"b":"deep"}],"n":1}', "1-Text": "# text" })[id],
  rule: (name) => (name === "style/names" ? "be kind" : undefined),
  skill: async (name, path) => `${name}|${path}`,
});

describe("the router", () => {
  test("reads the built-in addresses", async () => {
    expect(router.schemes).toEqual(["artifact", "agent", "rule", "skill"]);
    expect(await router.read("artifact://1", signal)).toMatchObject({ text: "stored" });
    expect(await router.read("rule://style/names", signal)).toMatchObject({ text: "be kind" });
    expect(await router.read("skill://pdf/docs/a%20b.md", signal)).toMatchObject({ text: "pdf|docs/a b.md" });
    expect(await router.read("agent://1-Text", signal)).toMatchObject({ text: "# text" });
  });

  test("reads parts of a subagent's result", async () => {
    expect(await router.read("agent://0-Job/a/0/b", signal)).toMatchObject({ text: "deep" });
    expect(await router.read("agent://0-Job?q=a[0].b", signal)).toMatchObject({ text: "deep" });
    expect(await router.read("agent://0-Job/a", signal)).toMatchObject({ contentType: "application/json" });
    await expect(router.read("agent://0-Job/x", signal)).rejects.toThrow(ToolError);
    await expect(router.read("agent://1-Text/x", signal)).rejects.toThrow("not JSON");
  });

  test("lists the known schemes for an unknown one", async () => {
    await expect(router.read("memory://x", signal)).rejects.toThrow("Known: artifact, agent");
    await expect(router.read("artifact://2", signal)).rejects.toThrow("does not exist");
    await expect(router.read("skill://pdf/../../etc/passwd", signal)).rejects.toThrow("leads out");
    await expect(router.read("skill://pdf/%2e%2e/x", signal)).rejects.toThrow("leads out");
    await expect(router.write("artifact://1", "x", signal)).rejects.toThrow("only be read");
  });

  test("lets hosts add schemes, but not replace built-in ones", async () => {
    const written: string[] = [];
    const handler = {
      read: async (url: string) => ({ text: `host ${url}` }),
      write: async (_url: string, content: string) => void written.push(content),
    };
    expect(router.set("host", { note: handler, artifact: handler, "Bad Name": handler })).toEqual([
      "artifact",
      "Bad Name",
    ]);
    expect(await router.read("note://x", signal)).toEqual({ text: "host note://x" });
    await router.write("note://x", "hi", signal);
    expect(written).toEqual(["hi"]);
    expect(await router.read("artifact://1", signal)).toMatchObject({ text: "stored" });
    router.set("host", {});
    await expect(router.read("note://x", signal)).rejects.toThrow(ToolError);
  });
});

test("paths into JSON do not reach inherited properties", () => {
  expect(atJsonPath({ a: 1 }, "constructor")).toBeUndefined();
  expect(atJsonPath([1, [2]], "$[1][0]")).toBe(2);
  expect(atJsonPath({ "a.b": 1, c: { d: 2 } }, "c.d")).toBe(2);
});
