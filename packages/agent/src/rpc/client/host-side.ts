import { errorText } from "../../contract/errors.ts";
import type { UiDialog, UiRequest } from "../../contract/ui-request.ts";
import type { CommandInput, HostAnswer, HostSchemeDefinition, HostToolDefinition } from "../wire/commands.ts";
import type { WireGate } from "../wire/gate-wire.ts";

type Json = Record<string, unknown>;
type ToolContent = HostAnswer<"host_tool_result">["result"];
type UriContent = Omit<HostAnswer<"host_uri_result">, "id" | "isError" | "error">;

/** A tool that the agent calls in the program of the client. An error that `run` throws is returned to the model. */
export type HostTool = HostToolDefinition & {
  run(
    args: Json,
    call: { toolCallId: string; signal: AbortSignal; update(text: string): void },
  ): string | ToolContent | Promise<string | ToolContent>;
};

/** A URL scheme that the program of the client serves. With `write`, the model can write to it. */
export type HostScheme = Omit<HostSchemeDefinition, "writable"> & {
  read(url: string, signal: AbortSignal): string | UriContent | Promise<string | UriContent>;
  write?(url: string, content: string, signal: AbortSignal): void | Promise<void>;
};

/** The answer to a dialog: a text, a confirmation, all fields of the answer, or nothing to cancel it. */
export type UiReply = string | boolean | Omit<HostAnswer<"extension_ui_response">, "id"> | undefined;

export type HostCallbacks = {
  /** Called for dialogs and for requests that need no answer. Without it, dialogs are cancelled and approvals denied. */
  ui?(request: UiRequest, signal: AbortSignal): UiReply | Promise<UiReply>;
  /** Answers a gate. Without it, gates stay open until `respondGate`. */
  gate?(gate: WireGate): unknown;
};

type Parts = {
  callbacks: HostCallbacks;
  send(frame: Json): void;
  respondGate(input: CommandInput<"workflow_gate_response">): Promise<{ status: string }>;
  problem(message: string): void;
};

const DIALOGS: ReadonlySet<string> = new Set<UiDialog["method"]>(["select", "confirm", "input", "editor"]);

/** Answers what the agent asks of its host: tools, URLs, dialogs and gates. No method throws. */
export class HostSide {
  tools: readonly HostTool[] = [];
  schemes: readonly HostScheme[] = [];
  readonly #parts: Parts;
  readonly #open = new Map<string, AbortController>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Returns whether the frame is of this kind. */
  take(frame: Json): boolean {
    switch (frame.type) {
      case "host_tool_call":
        return this.#work(frame, (signal) => this.#runTool(frame, signal), "host_tool_result");
      case "host_uri_request":
        return this.#work(frame, (signal) => this.#readOrWrite(frame, signal), "host_uri_result");
      case "host_tool_cancel":
      case "host_uri_cancel":
        return this.#cancel(frame.targetId);
      case "extension_ui_request":
        return frame.method === "cancel" ? this.#cancel(frame.targetId) : this.#show(frame);
      case "workflow_gate":
        void this.#answerGate(frame as unknown as WireGate);
        return true;
      default:
        return false;
    }
  }

  /** Aborts all running calls and dialogs. */
  close(): void {
    for (const controller of this.#open.values()) controller.abort();
    this.#open.clear();
  }

  #cancel(target: unknown): true {
    this.#open.get(String(target))?.abort();
    this.#open.delete(String(target));
    return true;
  }

  /** Runs a call and sends its result, unless it was cancelled meanwhile. */
  #work(frame: Json, work: (signal: AbortSignal) => Promise<Json>, type: string): true {
    const id = String(frame.id);
    const controller = new AbortController();
    this.#open.set(id, controller);
    void work(controller.signal)
      .catch((error: unknown) => failureOf(type, errorText(error)))
      .then((result) => {
        if (this.#open.get(id) !== controller) return;
        this.#open.delete(id);
        this.#parts.send({ type, id, ...result });
      });
    return true;
  }

  async #runTool({ id, toolName, toolCallId, arguments: args }: Json, signal: AbortSignal): Promise<Json> {
    const tool = this.tools.find(({ name }) => name === toolName);
    if (!tool) throw new Error(`The host has no tool ${String(toolName)}.`);
    const update = (text: string) => {
      if (!signal.aborted) this.#parts.send({ type: "host_tool_update", id, partialResult: contentOf(text) });
    };
    const given = typeof args === "object" && args !== null ? (args as Json) : {};
    return { result: contentOf(await tool.run(given, { toolCallId: String(toolCallId), signal, update })) };
  }

  async #readOrWrite({ operation, url, content }: Json, signal: AbortSignal): Promise<Json> {
    const address = String(url);
    const name = address.slice(0, Math.max(0, address.indexOf("://"))).toLowerCase();
    const scheme = this.schemes.find((each) => each.scheme.toLowerCase() === name);
    if (!scheme) throw new Error(`The host does not serve ${name}://.`);
    if (operation !== "write") {
      const read = await scheme.read(address, signal);
      return typeof read === "string" ? { content: read } : read;
    }
    if (!scheme.write) throw new Error(`${name}:// cannot be written to.`);
    await scheme.write(address, String(content ?? ""), signal);
    return {};
  }

  #show(frame: Json): true {
    const { ui } = this.#parts.callbacks;
    const request = frame as unknown as UiRequest;
    const show = async (signal: AbortSignal) => await ui?.(request, signal);
    if (DIALOGS.has(request.method)) {
      return this.#work(frame, async (signal) => replyOf(await show(signal)), "extension_ui_response");
    }
    void show(new AbortController().signal).catch((error: unknown) => this.#parts.problem(errorText(error)));
    return true;
  }

  async #answerGate(gate: WireGate): Promise<void> {
    const { callbacks, respondGate, problem } = this.#parts;
    if (!callbacks.gate) return;
    try {
      const answer = await callbacks.gate(gate);
      if (answer === undefined) return;
      const { status } = await respondGate({ gate_id: gate.gate_id, answer });
      if (status !== "accepted") problem(`The answer to the gate ${gate.gate_id} does not match its schema.`);
    } catch (error) {
      problem(errorText(error));
    }
  }
}

function contentOf(result: string | ToolContent): ToolContent {
  return typeof result === "string" ? { content: [{ type: "text", text: result }] } : result;
}

function failureOf(type: string, message: string): Json {
  if (type === "host_tool_result") return { result: contentOf(message), isError: true };
  return type === "host_uri_result" ? { isError: true, error: message } : { cancelled: true };
}

function replyOf(reply: UiReply): Json {
  if (reply === undefined) return { cancelled: true };
  if (typeof reply === "string") return { value: reply };
  return typeof reply === "boolean" ? { confirmed: reply } : { ...reply };
}
