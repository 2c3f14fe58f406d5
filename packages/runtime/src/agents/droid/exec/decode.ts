import { failure } from "@gantry/protocol";
import { compact, type Fields, fields, nonBlank, number, text } from "../../fields.ts";
import { endTool, startTool } from "../../json-lines/calls.ts";
import type { DecoderState, Pass } from "../../json-lines/pass.ts";
import { textFailure } from "../../json-lines/reading/failures.ts";
import { readUsage } from "../../json-lines/reading/usage.ts";
import { completeText, nextText } from "../../json-lines/texts.ts";
import {
  beginTurn,
  exitFailure,
  failTurn,
  finishTurn,
  reportLost,
  reportPrompt,
  reportReady,
} from "../../json-lines/turns.ts";

/** `named`: the model was specified. Otherwise Droid reports the vendor's default, whatever it uses. */
export type ExecState = DecoderState & { named: boolean };

/** Decodes a line of `droid exec --output-format stream-json`. */
export function line(pass: Pass<ExecState>, line: Fields, frame: unknown): void {
  switch (line.type) {
    case "system":
      return reportReady(pass, {
        handle: nonBlank(line.session_id),
        model: pass.state.named ? nonBlank(line.model) : undefined,
      });
    case "message":
      return message(pass, line);
    case "reasoning":
      beginTurn(pass);
      return completeText(pass, text(line.id) ?? nextText(pass), "reasoning", text(line.text) ?? "");
    case "tool_call":
      beginTurn(pass);
      return startTool(pass, text(line.id) ?? "", { name: nonBlank(line.toolName) ?? "tool", input: line.parameters });
    case "tool_result":
      return endCall(pass, line);
    case "error":
      return recordError(pass, line);
    case "completion":
      return completeTurn(pass, line);
    case "result":
      return document(pass, line);
    default:
      return pass.raw(frame, "unknown line");
  }
}

function message(pass: Pass, line: Fields): void {
  const content = text(line.text) ?? "";
  if (line.role === "user") return reportPrompt(pass, content);
  beginTurn(pass);
  completeText(pass, text(line.id) ?? nextText(pass), "text", content);
}

function endCall(pass: Pass, line: Fields): void {
  const output = text(line.value) ?? text(fields(line.error).message);
  const status = line.isError === true ? (FORBIDDEN.test(output ?? "") ? "denied" : "error") : "ok";
  endTool(pass, text(line.id) ?? "", compact({ status, output }));
}

/** This channel never asks: what the mode does not allow is denied, which ends the turn. */
const FORBIDDEN = /insufficient permission to proceed/;
const FREER = "Choose a mode that allows it, or install a version of Droid that can ask.";

/** The first of two errors has the reason; the second is only "Exec failed". */
function recordError(pass: Pass, line: Fields): void {
  const { state } = pass;
  beginTurn(pass);
  const message = (text(line.message) ?? "").replace(/^Error: /, "");
  const error = FORBIDDEN.test(message) ? failure("tool", message, FREER) : textFailure(message);
  if (!state.failure) state.failure = error;
  if (line.source === "cli") failTurn(pass, state.failure ?? error);
}

function completeTurn(pass: Pass, line: Fields): void {
  const { usage } = line;
  finishTurn(
    pass,
    compact({
      outcome: "completed",
      usage: usage === undefined ? undefined : readUsage(fields(usage), true),
      durationMs: number(line.durationMs),
    }),
  );
}

/** Decodes the single document of `--output-format json`. */
export function document(pass: Pass, line: Fields): void {
  reportReady(pass, { handle: nonBlank(line.session_id) });
  beginTurn(pass);
  const answer = text(line.result) ?? "";
  if (line.is_error === true) return failTurn(pass, textFailure(answer));
  completeText(pass, nextText(pass), "text", answer);
  finishTurn(pass, compact({ outcome: "completed", durationMs: number(line.duration_ms) }));
}

/** A session that cannot be loaded ends the process at once, without output. */
export function endProcess(pass: Pass, code: number | null, signal: string | null): void {
  const { state } = pass;
  if (code === 1 && !state.framed && state.stderr.length === 0) {
    return reportLost(pass, "Droid ended at once without a word: it could not load the session.");
  }
  failTurn(pass, state.failure ?? exitFailure(pass, code, signal));
}
