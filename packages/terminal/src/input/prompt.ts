import { createInterface } from "node:readline";
import { Writable } from "node:stream";

export type PromptStreams = { input: NodeJS.ReadableStream; output: NodeJS.WritableStream };

export type AskOptions = {
  /** The initial text of the line, for editing. */
  prefill?: string;
  /** Does not echo the input. */
  secret?: boolean;
  signal?: AbortSignal;
};

/**
 * Asks for one line. Resolves with `undefined` on abort, at the end of input, and on Ctrl-C. Ctrl-C is also emitted as
 * SIGINT on the process, whose handler decides about it.
 */
export function askLine(
  streams: PromptStreams,
  question: string,
  options: AskOptions = {},
): Promise<string | undefined> {
  const output = options.secret ? muteOutput(streams.output) : streams.output;
  if (options.secret) streams.output.write(question);
  const reader = createInterface({ input: streams.input, output, terminal: true, historySize: 0 });
  return new Promise((resolve) => {
    let settled = false;
    const finish = (line: string | undefined) => {
      if (settled) return;
      settled = true;
      options.signal?.removeEventListener("abort", cancel);
      reader.close();
      if (line === undefined || options.secret) streams.output.write("\n");
      resolve(line);
    };
    const cancel = () => finish(undefined);
    if (options.signal?.aborted) return finish(undefined);
    options.signal?.addEventListener("abort", cancel);
    reader.once("close", cancel);
    reader.once("SIGINT", () => {
      finish(undefined);
      process.emit("SIGINT");
    });
    reader.question(options.secret ? "" : question, finish);
    if (options.prefill) reader.write(options.prefill);
  });
}

/** Asks a yes-or-no question. Anything but yes counts as no. */
export async function confirm(streams: PromptStreams, question: string): Promise<boolean> {
  const line = await askLine(streams, `${question} [y/N] `);
  return /^y(es)?$/i.test(line?.trim() ?? "");
}

function muteOutput(output: NodeJS.WritableStream): NodeJS.WritableStream {
  const sink = new Writable({ write: (_chunk, _encoding, done) => done() });
  return Object.assign(sink, { columns: (output as { columns?: number }).columns });
}
