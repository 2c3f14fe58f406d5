import { failure } from "@gantry/protocol";
import { compact, type Fields, fields, nonBlank, number, text } from "../../fields.ts";
import { endTool, startTool } from "../../json-lines/calls.ts";
import { wordsFailure } from "../../json-lines/reading/failures.ts";
import { readUsage } from "../../json-lines/reading/usage.ts";
import type { Pass, Talk } from "../../json-lines/talk.ts";
import { nextText, whole } from "../../json-lines/texts.ts";
import { begin, ending, fail, finish, lost, prompted, ready } from "../../json-lines/turns.ts";

/** `named`: the model was given by name. Otherwise Droid tells its maker's default, whatever it uses. */
export type ExecState = Talk & { named: boolean };

/** A line of `droid exec --output-format stream-json`. */
export function line(pass: Pass<ExecState>, said: Fields, frame: unknown): void {
  switch (said.type) {
    case "system":
      return ready(pass, {
        handle: nonBlank(said.session_id),
        model: pass.state.named ? nonBlank(said.model) : undefined,
      });
    case "message":
      return message(pass, said);
    case "reasoning":
      begin(pass);
      return whole(pass, text(said.id) ?? nextText(pass), "reasoning", text(said.text) ?? "");
    case "tool_call":
      begin(pass);
      return startTool(pass, text(said.id) ?? "", { name: nonBlank(said.toolName) ?? "tool", input: said.parameters });
    case "tool_result":
      return answered(pass, said);
    case "error":
      return complained(pass, said);
    case "completion":
      return completed(pass, said);
    case "result":
      return document(pass, said);
    default:
      return pass.raw(frame, "unknown line");
  }
}

function message(pass: Pass, said: Fields): void {
  const content = text(said.text) ?? "";
  if (said.role === "user") return prompted(pass, content);
  begin(pass);
  whole(pass, text(said.id) ?? nextText(pass), "text", content);
}

function answered(pass: Pass, said: Fields): void {
  const output = text(said.value) ?? text(fields(said.error).message);
  const status = said.isError === true ? (FORBIDDEN.test(output ?? "") ? "denied" : "error") : "ok";
  endTool(pass, text(said.id) ?? "", compact({ status, output }));
}

/** Nobody is asked here: what the rung does not allow is denied, and with it Droid ends the turn. */
const FORBIDDEN = /insufficient permission to proceed/;
const FREER = "Choose a mode that allows it, or install a version of Droid that can ask.";

/** The first of two errors tells why; the second, "Exec failed", only that. */
function complained(pass: Pass, said: Fields): void {
  const { state } = pass;
  begin(pass);
  const message = (text(said.message) ?? "").replace(/^Error: /, "");
  const error = FORBIDDEN.test(message) ? failure("tool", message, FREER) : wordsFailure(message);
  if (!state.failure) state.failure = error;
  if (said.source === "cli") fail(pass, state.failure ?? error);
}

function completed(pass: Pass, said: Fields): void {
  const { usage } = said;
  finish(
    pass,
    compact({
      outcome: "completed",
      usage: usage === undefined ? undefined : readUsage(fields(usage), true),
      durationMs: number(said.durationMs),
    }),
  );
}

/** The one document of `--output-format json`. */
export function document(pass: Pass, said: Fields): void {
  ready(pass, { handle: nonBlank(said.session_id) });
  begin(pass);
  const answer = text(said.result) ?? "";
  if (said.is_error === true) return fail(pass, wordsFailure(answer));
  whole(pass, nextText(pass), "text", answer);
  finish(pass, compact({ outcome: "completed", durationMs: number(said.duration_ms) }));
}

/** A session that cannot be fetched ends the process at once and without a word. */
export function ended(pass: Pass, code: number | null, signal: string | null): void {
  const { state } = pass;
  if (code === 1 && !state.framed && state.stderr.length === 0) {
    return lost(pass, "Droid ended at once without a word: it could not load the session.");
  }
  fail(pass, state.failure ?? ending(pass, code, signal));
}
