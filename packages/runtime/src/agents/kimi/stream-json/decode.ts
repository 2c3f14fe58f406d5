import { type Fields, fields, list, nonBlank, number, parseFields, text } from "../../fields.ts";
import { endTool, startTool } from "../../json-lines/calls.ts";
import { blocksText } from "../../json-lines/reading/content.ts";
import { wordsFailure } from "../../json-lines/reading/failures.ts";
import type { Pass } from "../../json-lines/talk.ts";
import { nextText, whole } from "../../json-lines/texts.ts";
import { begin, ending, fail, finish, ready, retry } from "../../json-lines/turns.ts";

const roles = ["meta", "assistant", "tool"];

export function isOurs(line: Fields): boolean {
  return roles.includes(text(line.role) ?? "") && ("type" in line || "content" in line || "tool_calls" in line);
}

/** A line of Kimi's print mode: whole messages, no thoughts, no tokens. The hint how to resume is its last word. */
export function line(pass: Pass, said: Fields, frame: unknown): void {
  if (said.role === "meta") return meta(pass, said, frame);
  begin(pass);
  if (said.role === "assistant") return assistant(pass, said);
  if (said.role !== "tool") return pass.raw(frame, "unknown line");
  const output = blocksText(said.content) ?? "";
  endTool(pass, text(said.tool_call_id) ?? "", { status: toolFailed(output) ? "error" : "ok", output });
}

function meta(pass: Pass, said: Fields, frame: unknown): void {
  switch (said.type) {
    case "system.version":
      return begin(pass);
    case "turn.step.retrying":
      return retrying(pass, said);
    case "session.resume_hint":
      ready(pass, { handle: nonBlank(said.session_id) });
      return finish(pass, { outcome: "completed" });
    default:
      return pass.raw(frame, "unknown line");
  }
}

function assistant(pass: Pass, said: Fields): void {
  whole(pass, nextText(pass), "text", blocksText(said.content) ?? "");
  for (const entry of list(said.tool_calls)) {
    const call = fields(entry);
    const { name, arguments: input } = fields(call.function);
    startTool(pass, text(call.id) ?? "", { name: nonBlank(name) ?? "tool", input: parseFields(text(input)) });
  }
}

function retrying(pass: Pass, said: Fields): void {
  begin(pass);
  const error = wordsFailure(text(said.error_message) ?? "", number(said.status_code));
  pass.state.failure = error;
  retry(
    pass,
    {
      attempt: number(said.failed_attempt),
      max: number(said.max_attempts),
      delayMs: number(said.delay_ms),
      reason: error.message,
    },
    error,
  );
}

/** The results of tools have no mark of failure but their words. */
function toolFailed(output: string): boolean {
  return /^(Invalid args for tool|Tool ".*" not found|Error:)|Session closed$|exit code: [1-9]/.test(output);
}

/** Kimi tells a failure only on stderr: `error: failed to run prompt: <kind>: <message>`. */
export function ended(pass: Pass, code: number | null, signal: string | null): void {
  const said = pass.state.stderr.find((entry) => entry.startsWith("error: "));
  if (said) return fail(pass, wordsFailure(said.replace(/^error: (failed to run prompt: )?/, "")));
  fail(pass, pass.state.failure ?? ending(pass, code, signal));
}
