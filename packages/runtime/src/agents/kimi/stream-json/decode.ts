import { type Fields, fields, list, nonBlank, number, parseFields, text } from "../../fields.ts";
import { endTool, startTool } from "../../json-lines/calls.ts";
import type { Pass } from "../../json-lines/pass.ts";
import { blocksText } from "../../json-lines/reading/content.ts";
import { textFailure } from "../../json-lines/reading/failures.ts";
import { completeText, nextText } from "../../json-lines/texts.ts";
import { beginTurn, exitFailure, failTurn, finishTurn, reportReady, reportRetry } from "../../json-lines/turns.ts";

const roles = ["meta", "assistant", "tool"];

export function isOurs(line: Fields): boolean {
  return roles.includes(text(line.role) ?? "") && ("type" in line || "content" in line || "tool_calls" in line);
}

/** Decodes a line of Kimi's print mode: complete messages, no thoughts, no usage. The resume hint is the last line. */
export function line(pass: Pass, received: Fields, frame: unknown): void {
  if (received.role === "meta") return meta(pass, received, frame);
  beginTurn(pass);
  if (received.role === "assistant") return assistant(pass, received);
  if (received.role !== "tool") return pass.raw(frame, "unknown line");
  const output = blocksText(received.content) ?? "";
  endTool(pass, text(received.tool_call_id) ?? "", { status: toolFailed(output) ? "error" : "ok", output });
}

function meta(pass: Pass, received: Fields, frame: unknown): void {
  switch (received.type) {
    case "system.version":
      return beginTurn(pass);
    case "turn.step.retrying":
      return handleRetry(pass, received);
    case "session.resume_hint":
      reportReady(pass, { handle: nonBlank(received.session_id) });
      return finishTurn(pass, { outcome: "completed" });
    default:
      return pass.raw(frame, "unknown line");
  }
}

function assistant(pass: Pass, received: Fields): void {
  completeText(pass, nextText(pass), "text", blocksText(received.content) ?? "");
  for (const entry of list(received.tool_calls)) {
    const call = fields(entry);
    const { name, arguments: input } = fields(call.function);
    startTool(pass, text(call.id) ?? "", { name: nonBlank(name) ?? "tool", input: parseFields(text(input)) });
  }
}

function handleRetry(pass: Pass, received: Fields): void {
  beginTurn(pass);
  const error = textFailure(text(received.error_message) ?? "", number(received.status_code));
  pass.state.failure = error;
  reportRetry(
    pass,
    {
      attempt: number(received.failed_attempt),
      max: number(received.max_attempts),
      delayMs: number(received.delay_ms),
      reason: error.message,
    },
    error,
  );
}

/** Tool results mark failures only in their text. */
function toolFailed(output: string): boolean {
  return /^(Invalid args for tool|Tool ".*" not found|Error:)|Session closed$|exit code: [1-9]/.test(output);
}

/** Kimi reports failures only on stderr: `error: failed to run prompt: <kind>: <message>`. */
export function endProcess(pass: Pass, code: number | null, signal: string | null): void {
  const received = pass.state.stderr.find((entry) => entry.startsWith("error: "));
  if (received) return failTurn(pass, textFailure(received.replace(/^error: (failed to run prompt: )?/, "")));
  failTurn(pass, pass.state.failure ?? exitFailure(pass, code, signal));
}
