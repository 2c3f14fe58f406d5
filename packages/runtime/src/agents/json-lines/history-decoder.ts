import type { Attachment } from "@gantry/protocol";
import type { HistoryEntry, Output } from "../contract.ts";
import { compact } from "../fields.ts";
import { HistoryRecorder } from "../history/recorder.ts";
import { type DecoderState, initialDecoderState, Pass } from "./pass.ts";
import { beginTurn } from "./turns.ts";

/** Outputs that only matter in a live session. */
const LIVE: readonly Output["kind"][] = ["delta", "activity", "retry", "ready", "ack", "taken"];

/** Reads a stored conversation with the handlers of the live decoder. */
export class HistoryDecoder<State extends DecoderState = DecoderState> {
  state: State;
  readonly recorder = new HistoryRecorder();

  constructor(conversation: string, more: Omit<State, keyof DecoderState>) {
    const options = { cwd: "", mode: "inherit", uuid: conversation.slice(-12), dir: "" } as const;
    this.state = { ...initialDecoderState(options), ...more } as State;
  }

  take(read: (pass: Pass<State>) => void): void {
    const pass = new Pass(this.state, "history");
    read(pass);
    const [state, outputs] = pass.step();
    this.state = state;
    this.recorder.add(...outputs.filter(({ kind }) => !LIVE.includes(kind)));
  }

  takeEntries(): HistoryEntry[] {
    return this.recorder.takeEntries();
  }
}

/** Records a user prompt. During a running turn it is a steer and does not end the turn. */
export function recordPrompt(pass: Pass, text: string, attachments: Attachment[] = []): void {
  const steer = pass.state.turn === "running";
  const more = { steer: steer || undefined, attachments: attachments.length > 0 ? attachments : undefined };
  pass.emit(compact({ kind: "prompted", text, ...more } as const));
  beginTurn(pass);
}
