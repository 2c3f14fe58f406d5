import { afterAll, beforeAll, expect, test } from "vitest";
import { asObject, type Json } from "../../json.ts";
import { type ScriptedModel, startScriptedModel } from "../server.ts";

let model: ScriptedModel;
beforeAll(async () => {
  model = await startScriptedModel({ defaults: { pace: 0 } });
});
afterAll(() => model.close());

const schema = { type: "object", properties: { path: { type: "string" }, file_content: { type: "string" } } };
const tool_definitions = [{ name: "save-file", input_schema_json: JSON.stringify(schema) }];
const requestNodes = (content: string) => [
  { id: 1, type: 0, text_node: { content } },
  { id: 2, type: 4, ide_state_node: { current_terminal: { current_working_directory: "/work/here" } } },
];

async function ask(body: Json): Promise<Json[]> {
  const response = await fetch(`${model.url}/chat-stream`, {
    method: "POST",
    body: JSON.stringify({ model: "scripted-mini", tool_definitions, ...body }),
  });
  expect(response.status).toBe(200);
  return (await response.text())
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Json);
}

const nodes = (lines: Json[], type: number) =>
  lines.flatMap((line) => line.nodes as Json[]).filter((node) => node.type === type);

test("streams text by line, after the complete reasoning", async () => {
  const lines = await ask({ nodes: requestNodes("[[think]] hello") });
  expect(lines.map(({ text }) => text).join("")).toBe("After thinking: the answer is 42.");
  expect(nodes(lines, 8)).toMatchObject([{ thinking: { content: expect.stringMatching(/^Let me think/) } }]);
  expect(lines.at(-1)).toMatchObject({ stop_reason: 1 });
  expect(model.requests().at(-1)).toMatchObject({ wire: "augment", model: "scripted-mini", cwd: "/work/here" });
});

test("sends a call, and the reply after its result", async () => {
  const first = await ask({ nodes: requestNodes("[[write]] please") });
  expect(first.at(-1)).toMatchObject({ stop_reason: 3 });
  const [call] = nodes(first, 5);
  expect(JSON.parse(String(asObject(call?.tool_use).input_json))).toEqual({
    path: "/work/here/hello.txt",
    file_content: "hello world\n",
  });
  const history = [{ request_message: "", request_nodes: requestNodes("[[write]] please"), response_nodes: [call] }];
  const second = await ask({ chat_history: history, nodes: [{ id: 1, type: 1, tool_result_node: {} }] });
  expect(second.map(({ text }) => text).join("")).toBe("Done: hello.txt written.");
});

test("lists its models in the flags", async () => {
  const response = await fetch(`${model.url}/get-models`, { method: "POST", body: "{}" });
  const { feature_flags } = (await response.json()) as { feature_flags: { model_info_registry: string } };
  expect(Object.keys(JSON.parse(feature_flags.model_info_registry))).toEqual(["scripted-model", "scripted-mini"]);
});
