import { readFileSync } from "node:fs";
import { extname, resolve } from "node:path";
import type { Readable } from "node:stream";
import { text as readAll } from "node:stream/consumers";
import type { AgentOptions } from "@gantry/agent/command";
import type { Context } from "../../program/context.ts";
import { usageError } from "../../program/errors.ts";
import { exitCodes } from "../../program/exit-codes.ts";
import { isDemoModel, serveDemoModel } from "../demo/demo-model.ts";

type Flags = {
  mode?: "text" | "json" | "rpc";
  print: boolean;
  model?: string;
  provider?: string;
  models?: string;
  mpreset?: string;
  default: boolean;
  thinking?: AgentOptions["thinking"];
  permissionMode?: AgentOptions["mode"];
  cwd?: string;
  continue: boolean;
  resume?: string;
  session?: string;
  fork?: string;
  folder?: readonly string[];
  skills?: readonly string[];
  sessionDir?: string;
  noSession: boolean;
  tools?: string;
  noTools: boolean;
  noRules: boolean;
  noSkills: boolean;
  noExtensions: boolean;
  extension?: readonly string[];
  noLsp: boolean;
  noTitle: boolean;
  mcpConfig?: string;
  systemPrompt?: string;
  appendSystemPrompt?: string;
  apiKey?: string;
  bareEvents: boolean;
  fullUpdates: boolean;
};

/** Gantry's own agent, in one of its modes. */
export async function agent(this: Context, flags: Flags, ...args: string[]): Promise<void> {
  if (flags.default && flags.mpreset === undefined) throw usageError("--default goes with --mpreset.");
  if (isExtensionsCall(flags, args))
    return (await import("./extensions.ts")).extensions(this, optionsOf(this, flags), args.slice(1));
  const options = await withDemoModel(optionsOf(this, flags));
  if (flags.mode === "rpc") {
    if (args.some((word) => word.startsWith("@"))) throw usageError("@file cannot be used with --mode rpc.");
    if (args.length > 0) throw usageError("With --mode rpc, send prompts on stdin.");
    return serve(this, options, flags);
  }
  const { streams, interactive } = this.output;
  if (interactive && !flags.print && flags.mode === undefined) return runInteractive(this, options, args);
  const piped = (streams.input as NodeJS.ReadStream).isTTY ? "" : await readAll(streams.input as Readable);
  const { prompt, images } = promptOf(args, piped, options.cwd);
  if (prompt === "") throw usageError('There is no prompt. Give one: gantry agent -p "…", or pipe it in.');
  const { startAgent, runJson, runPrint } = await import("@gantry/agent/command");
  const write = (text: string) => void this.process.stdout.write(text);
  const showCommand = (text: string) => {
    if (flags.mode !== "json") write(text.endsWith("\n") ? text : `${text}\n`);
  };
  const { session, problems } = await startAgent({ ...options, showCommand });
  for (const problem of problems) this.output.note(problem);
  const printing = {
    session,
    prompts: [prompt],
    images,
    write,
    reportError: (text: string) => this.output.note(text),
  };
  const status = await (flags.mode === "json" ? runJson : runPrint)(printing);
  this.process.exitCode = status === 0 ? exitCodes.completed : exitCodes.failed;
  await exitAfterFlush(status);
}

/** `gantry agent extensions` is a command; with -p or --mode it is a prompt. */
function isExtensionsCall({ print, mode }: Flags, [first, verb, ...rest]: string[]): boolean {
  if (first !== "extensions" || print || mode !== undefined) return false;
  return verb === undefined || (["list", "enable", "disable"].includes(verb) && rest.length <= 1);
}

function optionsOf(context: Context, flags: Flags): AgentOptions {
  const {
    mode: _mode,
    print: _print,
    bareEvents: _bare,
    fullUpdates: _full,
    models,
    tools,
    mpreset,
    default: _default,
    permissionMode,
    folder,
    session,
    extension,
    ...rest
  } = flags;
  const list = (text: string | undefined) =>
    text
      ?.split(",")
      .map((part) => part.trim())
      .filter(Boolean);
  return {
    ...rest,
    env: context.env,
    home: context.home,
    cwd: resolve(flags.cwd ?? process.cwd()),
    continueRecent: flags.continue,
    resume: flags.resume ?? session,
    models: list(models),
    tools: list(tools),
    profile: mpreset,
    keepProfile: flags.default,
    mode: permissionMode,
    folders: folder?.map((path) => resolve(path)),
    skills: flags.skills?.map((path) => resolve(path)),
    extensions: extension?.map((name) => (/^[.~/]/.test(name) ? resolve(name) : name)),
    appendSystemPrompt: fromFile(flags.appendSystemPrompt),
  };
}

async function withDemoModel(options: AgentOptions): Promise<AgentOptions> {
  if (!isDemoModel(options.model, options.provider)) return options;
  return { ...options, modelsFiles: [await serveDemoModel()] };
}

/** The text, or for `@file` the content of that file. */
function fromFile(text: string | undefined): string | undefined {
  return text?.startsWith("@") ? readFile(resolve(text.slice(1))).toString("utf8") : text;
}

async function serve(context: Context, options: AgentOptions, flags: Flags): Promise<void> {
  const { runRpc } = await import("@gantry/agent/rpc-mode");
  const { bareEvents, fullUpdates } = flags;
  const status = await runRpc({ ...options, version: context.version, bareEvents, fullUpdates });
  context.process.exitCode = status;
  await exitAfterFlush(status);
}

async function runInteractive(context: Context, options: AgentOptions, args: string[]): Promise<void> {
  const { runTerminal } = await import("@gantry/agent/command");
  const { prompt, images } = promptOf(args, "", options.cwd);
  const status = await runTerminal({ ...options, prompt, images });
  context.process.exitCode = status;
  await exitAfterFlush(status);
}

/** Exits although a tool or a server may have left handles open. */
async function exitAfterFlush(status: number): Promise<never> {
  await new Promise((done) => process.stdout.write("", done));
  process.exit(status);
}

type Picture = { type: "image"; data: string; mimeType: string };
const PICTURES: Record<string, string> = {
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".gif": "image/gif",
  ".webp": "image/webp",
};

function promptOf(args: readonly string[], piped: string, cwd: string): { prompt: string; images: Picture[] } {
  const images: Picture[] = [];
  const parts: string[] = piped.trim() === "" ? [] : [piped.trimEnd()];
  const text: string[] = [];
  for (const word of args) {
    if (!word.startsWith("@") || word.length === 1) {
      text.push(word);
      continue;
    }
    const path = resolve(cwd, word.slice(1));
    const mimeType = PICTURES[extname(path).toLowerCase()];
    const bytes = readFile(path);
    if (mimeType) images.push({ type: "image", data: bytes.toString("base64"), mimeType });
    else parts.push(`<file name="${path}">\n${bytes.toString("utf8")}\n</file>`);
  }
  if (text.length > 0) parts.push(text.join(" "));
  return { prompt: parts.join("\n\n"), images };
}

function readFile(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw usageError(`${path} cannot be read: ${(error as Error).message}`);
  }
}
