import type { Client } from "@gantry/client";
import type { Terminal } from "@gantry/protocol";
import type { PromptStreams } from "@gantry/terminal";
import { exitCodes } from "../../program/exit-codes.ts";

/**
 * Relays a terminal of the daemon: forwards keystrokes unchanged, prints its output, and forwards size changes. Resolves
 * to the exit status of its program. Closes the terminal on every way out.
 */
export async function relayTerminal(client: Client, { id }: Terminal, streams: PromptStreams): Promise<number> {
  const input = streams.input as NodeJS.ReadStream;
  const output = streams.output as NodeJS.WriteStream;
  const failed = Promise.withResolvers<never>();
  const order = inOrder(failed.reject);
  const sendInput = (bytes: Buffer) => order(() => client.terminals.type(id, bytes.toString("utf8")));
  const sendSize = () => order(() => client.terminals.resize(id, output.columns || 80, output.rows || 24));
  if (input.isTTY) input.setRawMode(true);
  input.on("data", sendInput);
  output.on("resize", sendSize);
  try {
    return await Promise.race([showOutput(client, id, output), failed.promise]);
  } finally {
    input.off("data", sendInput);
    output.off("resize", sendSize);
    if (input.isTTY) input.setRawMode(false);
    input.pause();
    await client.terminals.close(id).catch(() => {});
  }
}

async function showOutput(client: Client, id: string, output: NodeJS.WriteStream): Promise<number> {
  for await (const frame of client.terminals.follow(id)) {
    if ("output" in frame) output.write(frame.output);
    if ("exit" in frame) return frame.exit.code ?? exitCodes.failed;
  }
  return exitCodes.failed;
}

/** Serialises calls so that keystrokes keep their order. Ignores a call that fails because the program has ended. */
function inOrder(onError: (error: Error) => void): (call: () => Promise<unknown>) => void {
  let last: Promise<unknown> = Promise.resolve();
  return (call) => {
    last = last.then(call).catch((error: Error & { code?: string }) => {
      if (error.code !== "conflict" && error.code !== "no_such_terminal") onError(error);
    });
  };
}
