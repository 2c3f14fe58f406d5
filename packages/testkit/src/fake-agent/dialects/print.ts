import { randomUUID } from "node:crypto";
import { join } from "node:path";
import {
  type Conversation,
  ConversationStore,
  type Host,
  type Receiver,
  Turn,
  type TurnSink,
} from "@gantry/scripted/agent";
import { AskedLog } from "../asked.ts";

/** The conversation of a program that runs one turn. */
export interface PrintTalk {
  conversation: Conversation;
  asked: AskedLog;
  model: string;
}

/** A program that reads its prompt from stdin, prints the lines of one turn, and exits. */
export interface PrintProgram {
  model(argv: readonly string[]): string;
  /** The conversation to resume, from the arguments. */
  resume(argv: readonly string[]): string | undefined;
  newId(): string;
  /** The stderr text for an unknown conversation, before it exits with 1. */
  lost(id: string): string;
  sink(host: Host, talk: PrintTalk): TurnSink;
}

export function startPrint(program: PrintProgram, host: Host): Receiver {
  return new PrintAgent(program, host);
}

class PrintAgent implements Receiver {
  readonly #program: PrintProgram;
  readonly #host: Host;
  readonly #store: ConversationStore;
  readonly #lines: string[] = [];

  constructor(program: PrintProgram, host: Host) {
    this.#program = program;
    this.#host = host;
    this.#store = new ConversationStore(join(host.env.HOME ?? host.cwd, ".fake-agent", "sessions"));
  }

  line(line: string): void {
    this.#lines.push(line);
  }

  end(): void {
    const { argv, env, cwd } = this.#host;
    const id = this.#program.resume(argv);
    const known = id === undefined ? undefined : this.#store.load(id);
    if (known === null) {
      this.#host.stderr(`${this.#program.lost(id ?? "")}\n`);
      void this.#host.exit(1);
      return;
    }
    const asked = new AskedLog(env.HOME ?? cwd);
    asked.restore(known?.turns ?? []);
    void this.#run({
      conversation: known ?? { id: this.#program.newId(), cwd, turns: [] },
      asked,
      model: this.#program.model(argv),
    });
  }

  async #run(talk: PrintTalk): Promise<void> {
    const { conversation } = talk;
    // The input has ended, so a timer keeps the process alive while it waits.
    setInterval(() => {}, 60_000);
    const prompt = this.#lines.join("\n");
    talk.asked.note("user", prompt);
    const past = [...conversation.turns];
    const remember = (reply: string) => {
      this.#store.save({ ...conversation, turns: [...past, { id: randomUUID(), prompt, reply }] });
    };
    remember("");
    const sink = this.#program.sink(this.#host, talk);
    const turn = new Turn(this.#host, sink, conversation.cwd, this.#host.stepsFor(prompt, conversation.cwd));
    const ending = await turn.run();
    remember(ending.text);
    await this.#host.exit(ending.outcome === "completed" ? 0 : 1);
  }
}
