import type { Block } from "../script.ts";
import { allBytes, bytesAt, encodeMessage, encodeNumber, encodeText, textAt } from "./proto.ts";

/** A tool call: how it is announced, what the client executes for it, and how its end is announced. */
export type ToolCall = {
  /** The `ToolCall` message without a result. */
  started: Buffer;
  /** The field of `ExecServerMessage`, which is also that of the answer. Absent: the service runs the tool itself. */
  exec?: { field: number; args: Buffer };
  /** The `ToolCall` message with the result that the client returned. */
  completed(answer: Buffer | undefined): Buffer;
};

const SHELL_TIMEOUT_MS = 600_000;
const STATUS: Record<string, number> = { pending: 1, in_progress: 2, completed: 3 };

/** The call for a block of a script; `undefined` for one that Cursor's tools cannot express. */
export function toolCallOf(block: Block, id: string, cwd: string, served: readonly Buffer[]): ToolCall | undefined {
  switch (block.type) {
    case "write":
      return writeCall(absolute(block.file, cwd), block.content, id);
    case "read":
      return readCall(absolute(block.file, cwd), id);
    case "bash":
      return shellCall(block.command, cwd, id);
    case "served":
      return servedCall(block.name, block.input, id, served);
    case "call":
      return block.names.includes("TodoWrite") ? todoCall(block.input) : undefined;
    default:
      return undefined;
  }
}

function writeCall(path: string, content: string, id: string): ToolCall {
  const args = encodeMessage(1, encodeText(1, path));
  return {
    started: encodeMessage(12, args),
    exec: { field: 3, args: Buffer.concat([encodeText(1, path), encodeText(2, content), encodeText(3, id)]) },
    completed: (answer) => encodeMessage(12, args, encodeMessage(2, editResult(path, content, answer))),
  };
}

/** The client reports a success, or why it did not write. */
function editResult(path: string, content: string, answer: Buffer | undefined): Buffer {
  if (bytesAt(answer, 1)) {
    const lines = content.replace(/\n$/, "").split("\n");
    const diff = [`@@ -0,0 +1,${lines.length} @@`, ...lines.map((line) => `+${line}`), ""].join("\n");
    return encodeMessage(1, encodeText(1, path), encodeNumber(3, lines.length), encodeText(5, diff));
  }
  const reason = textAt(answer, 3, 4) || textAt(answer, 5, 2) || textAt(answer, 6, 2) || "The file was not written.";
  return encodeMessage(7, encodeText(1, path), encodeText(2, reason));
}

function readCall(path: string, id: string): ToolCall {
  const args = encodeMessage(1, encodeText(1, path));
  return {
    started: encodeMessage(8, args),
    exec: { field: 7, args: Buffer.concat([encodeText(1, path), encodeText(2, id)]) },
    completed(answer) {
      const success = bytesAt(answer, 1);
      const result = success
        ? encodeMessage(1, encodeText(1, textAt(success, 2)), encodeText(7, path))
        : encodeMessage(2, encodeText(1, "The file was not read."));
      return encodeMessage(8, args, encodeMessage(2, result));
    },
  };
}

/** The client runs a command only with the service's analysis of it, which may be empty. */
function shellCall(command: string, cwd: string, id: string): ToolCall {
  const args = Buffer.concat([
    encodeText(1, command),
    encodeText(2, cwd),
    encodeNumber(3, SHELL_TIMEOUT_MS),
    encodeText(4, id),
    encodeMessage(8),
  ]);
  return {
    started: encodeMessage(1, encodeMessage(1, args)),
    exec: { field: 2, args },
    completed: (answer) =>
      encodeMessage(1, encodeMessage(1, args), answer ? encodeMessage(2, answer) : Buffer.alloc(0)),
  };
}

/** A tool of an MCP server, if the client has announced one with this name. */
function servedCall(
  name: string,
  input: Record<string, unknown>,
  id: string,
  served: readonly Buffer[],
): ToolCall | undefined {
  const tool = served.find((definition) => textAt(definition, 5) === name || textAt(definition, 1).endsWith(name));
  if (!tool) return undefined;
  const entries = Object.entries(input).map(([key, value]) =>
    encodeMessage(2, encodeText(1, key), encodeMessage(2, encodeText(3, String(value)))),
  );
  const [provider, toolName] = [textAt(tool, 4), textAt(tool, 5)];
  const args = Buffer.concat([
    encodeText(1, textAt(tool, 1)),
    ...entries,
    encodeText(3, id),
    encodeText(4, provider),
    encodeText(5, toolName),
  ]);
  return {
    started: encodeMessage(15, encodeMessage(1, args)),
    exec: { field: 11, args },
    completed(answer) {
      const content = allBytes(bytesAt(answer, 1), 1).map((part) => encodeMessage(1, part));
      return encodeMessage(15, encodeMessage(1, args), encodeMessage(2, encodeMessage(1, ...content)));
    },
  };
}

function todoCall(input: Record<string, unknown>): ToolCall {
  const todos = (input.todos as { id: string; content: string; status: string }[]).map(({ id, content, status }) =>
    encodeMessage(1, encodeText(1, id), encodeText(2, content), encodeNumber(3, STATUS[status] ?? 1)),
  );
  const args = encodeMessage(1, ...todos);
  return {
    started: encodeMessage(9, args),
    completed: () => encodeMessage(9, args, encodeMessage(2, encodeMessage(1, ...todos))),
  };
}

function absolute(file: string, cwd: string): string {
  return file.startsWith("/") ? file : `${cwd}/${file}`;
}
