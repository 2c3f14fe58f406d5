import { readFileSync } from "node:fs";
import { Conversation, type WorkerOptions } from "./conversation.ts";
import { sendConsoleToStderr } from "./lines.ts";
import { listConversations, logIn, probe } from "./queries.ts";
import { enterReadOnly } from "./read-only.ts";
import { loadSdk, sdkVersion } from "./sdk.ts";

/**
 * The process that hosts the user's `@cursor/sdk`: `<this file> <folder of the SDK> <command> [argument]`. It speaks JSON
 * lines on stdin and stdout, so that a session outlives the daemon like one of any other agent.
 */
void main(process.argv.slice(2)).catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
});

async function main([folder = "", command = "", argument]: string[]): Promise<void> {
  if (command === "--version") return void process.stdout.write(`${sdkVersion(folder)}\n`);
  sendConsoleToStderr();
  if (command === "run" && argument) return run(folder, argument);
  const sdk = await loadSdk(folder);
  if (command === "probe") await probe(sdk, sdkVersion(folder));
  else if (command === "conversations") await listConversations(sdk, argument);
  else if (command === "login") await logIn(sdk);
  else throw new Error(`Unknown command: ${command}`);
  process.exit(0);
}

async function run(folder: string, path: string): Promise<void> {
  const options = JSON.parse(readFileSync(path, "utf8")) as WorkerOptions;
  if (options.mode === "plan") enterReadOnly(options.scratch);
  await new Conversation(await loadSdk(folder), folder, options).open();
}
