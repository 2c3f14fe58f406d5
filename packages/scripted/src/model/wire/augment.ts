import { asObject, asObjects, asText, type Json, parseObject } from "../../json.ts";
import type { Entry, ModelRequest } from "../conversation.ts";
import type { Failure } from "../failures.ts";
import type { Stop } from "../script.ts";
import { type ReplyOutput, type ReplyWriter, TOKENS, type WireFormat } from "./format.ts";

/** Node types of a request and of a reply. */
const ASKED = { text: 0, toolResult: 1 } as const;
const REPLY_NODES = { text: 0, toolUse: 5, thinking: 8 } as const;
const STOPPED: Record<Stop | "tool", number> = { end: 1, max_tokens: 2, tool: 3, refusal: 4 };

/** Augment's service, through which Auggie reaches its models: one JSON line per chunk. */
export const augment: WireFormat = {
  name: "augment",
  owns: (path) => path === "/chat-stream",
  read,
  errorBody: (failure) => ({
    error: { code: failure.openai.code ?? failure.openai.type, message: failure.openai.message },
  }),
  writer: (_request, out) => new AugmentWriter(out),
};

/** The history is a list of prompts and replies; the current prompt comes last. */
function read(body: Json): ModelRequest {
  const past = asObjects(body.chat_history).flatMap(({ request_nodes, request_message }): Entry[] => [
    ...entriesOf(asObjects(request_nodes), asText(request_message)),
    { from: "model" },
  ]);
  return {
    model: asText(body.model),
    stream: true,
    system: `${asText(body.user_guidelines)}\n${asText(body.workspace_guidelines)}`,
    entries: [...past, ...entriesOf(asObjects(body.nodes), asText(body.message))],
    tools: asObjects(body.tool_definitions).map(({ name, input_schema_json }) => ({
      name: asText(name),
      schema: parseObject(asText(input_schema_json)) ?? {},
    })),
  };
}

function entriesOf(nodes: Json[], message: string): Entry[] {
  const entries: Entry[] = [];
  if (nodes.some(({ type }) => type === ASKED.toolResult)) entries.push({ from: "tools" });
  const texts = nodes.map((node) => (node.type === ASKED.text ? asText(asObject(node.text_node).content) : ""));
  const prompt = [message, ...texts].filter(Boolean).join("\n");
  if (prompt) entries.push({ from: "human", text: `${prompt}${folderOf(nodes)}` });
  return entries;
}

/** The folder is sent next to the user's text. */
function folderOf(nodes: Json[]): string {
  const states = nodes.map((node) => asObject(asObject(node.ide_state_node).current_terminal));
  const folder = states.map((terminal) => asText(terminal.current_working_directory)).find(Boolean);
  return folder ? `\nWorking directory: ${folder}` : "";
}

class AugmentWriter implements ReplyWriter {
  readonly #out: ReplyOutput;
  #nodes = 0;
  #called = false;
  #thought = "";

  constructor(out: ReplyOutput) {
    this.#out = out;
  }

  start(): void {}

  text(piece: string): void {
    this.#node({ type: REPLY_NODES.text, content: piece }, piece);
  }

  /** Reasoning is sent in one piece. */
  think(piece: string): void {
    this.#thought += piece;
  }

  tool(name: string, argumentsText: string): void {
    this.#called = true;
    const tool_use = { tool_use_id: this.#out.id("call"), tool_name: name, input_json: argumentsText };
    this.#node({ type: REPLY_NODES.toolUse, content: "", tool_use });
  }

  freeform(name: string, text: string): void {
    this.tool(name, JSON.stringify({ input: text }));
  }

  finish(stop: Stop): void {
    this.#tellThought();
    const token_usage = {
      input_tokens: TOKENS.input,
      output_tokens: TOKENS.output,
      cache_read_input_tokens: TOKENS.cached,
      cache_creation_input_tokens: 0,
    };
    const nodes = [{ id: ++this.#nodes, type: 10, content: "", token_usage }];
    this.#out.line({ text: "", nodes, stop_reason: STOPPED[this.#called ? "tool" : stop] });
  }

  /** The service reports a failure within a reply only as stop reason. */
  fail(_failure: Failure): void {
    this.#out.line({ text: "", nodes: [], stop_reason: 7 });
  }

  #node(node: Json, text = ""): void {
    this.#tellThought();
    this.#out.line({ text, nodes: [{ id: ++this.#nodes, ...node }] });
  }

  #tellThought(): void {
    const content = this.#thought;
    this.#thought = "";
    if (content) this.#node({ type: REPLY_NODES.thinking, content: "", thinking: { summary: content, content } });
  }
}
