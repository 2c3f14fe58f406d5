import type { Attachment } from "@gantry/protocol";
import type { HistoryEntry, Output } from "../contract.ts";
import { compact } from "../fields.ts";
import { HistoryRecorder } from "../history/recorder.ts";
import { initialTalk, Pass, type Talk } from "./talk.ts";
import { begin } from "./turns.ts";

/** What a listener needs while something happens, and nobody afterwards. */
const LIVE: readonly Output["kind"][] = ["delta", "activity", "retry", "ready", "ack", "taken"];

/** A conversation on disk that is read with the same words as a live talk. */
export class PastTalk<State extends Talk = Talk> {
  state: State;
  readonly teller = new HistoryRecorder();

  constructor(conversation: string, more: Omit<State, keyof Talk>) {
    const options = { cwd: "", mode: "inherit", uuid: conversation.slice(-12), dir: "" } as const;
    this.state = { ...initialTalk(options), ...more } as State;
  }

  take(read: (pass: Pass<State>) => void): void {
    const pass = new Pass(this.state, "history");
    read(pass);
    const [state, outputs] = pass.step();
    this.state = state;
    this.teller.add(...outputs.filter(({ kind }) => !LIVE.includes(kind)));
  }

  takeEntries(): HistoryEntry[] {
    return this.teller.takeEntries();
  }
}

/** A person's words. Into a turn that runs they are said without ending it. */
export function said(pass: Pass, text: string, attachments: Attachment[] = []): void {
  const steer = pass.state.turn === "running";
  const more = { steer: steer || undefined, attachments: attachments.length > 0 ? attachments : undefined };
  pass.say(compact({ kind: "prompted", text, ...more } as const));
  begin(pass);
}
