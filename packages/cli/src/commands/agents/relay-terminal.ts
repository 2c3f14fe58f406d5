import type { Client } from "@gantry/client";
import type { Terminal } from "@gantry/protocol";
import { exitCodes } from "../../program/exit-codes.ts";
import type { PromptStreams } from "../../terminal/prompt.ts";

/**
 * Shows a terminal of the daemon in this one: what is typed goes there as it is, what it prints comes here, and so does
 * its size. Resolves to the status of the program in it; a terminal that is left alone otherwise is closed.
 */
export async function attachTerminal(client: Client, { id }: Terminal, streams: PromptStreams): Promise<number> {
  const input = streams.input as NodeJS.ReadStream;
  const output = streams.output as NodeJS.WriteStream;
  const failed = Promise.withResolvers<never>();
  const order = inOrder(failed.reject);
  const typed = (bytes: Buffer) => order(() => client.terminals.type(id, bytes.toString("utf8")));
  const resized = () => order(() => client.terminals.resize(id, output.columns || 80, output.rows || 24));
  if (input.isTTY) input.setRawMode(true);
  input.on("data", typed);
  output.on("resize", resized);
  try {
    return await Promise.race([shown(client, id, output), failed.promise]);
  } finally {
    input.off("data", typed);
    output.off("resize", resized);
    if (input.isTTY) input.setRawMode(false);
    input.pause();
    await client.terminals.close(id).catch(() => {});
  }
}

async function shown(client: Client, id: string, output: NodeJS.WriteStream): Promise<number> {
  for await (const frame of client.terminals.follow(id)) {
    if ("output" in frame) output.write(frame.output);
    if ("exit" in frame) return frame.exit.code ?? exitCodes.failed;
  }
  return exitCodes.failed;
}

/** Calls one after the other: what is typed must not overtake itself. One that fails because the program ended is late. */
function inOrder(onError: (error: Error) => void): (call: () => Promise<unknown>) => void {
  let last: Promise<unknown> = Promise.resolve();
  return (call) => {
    last = last.then(call).catch((error: Error & { code?: string }) => {
      if (error.code !== "conflict" && error.code !== "no_such_terminal") onError(error);
    });
  };
}
