import type { Writable } from "node:stream";
import { agentFolder } from "@gantry/models";
import type { ExtensionFailure } from "../extensions/load/supervise.ts";
import { createRpcHost } from "../rpc/host/rpc-host.ts";
import { serveRpc } from "../rpc/serve.ts";
import { CONTROL_KEY_FILE, lineCheck } from "../rpc/wire/control-key.ts";
import { createFrameWriter } from "../rpc/wire/writer.ts";
import type { AgentOptions } from "../start/options.ts";
import { startAgent } from "../start/start-agent.ts";

/** Serves RPC on stdin and stdout of this process until stdin ends or a signal arrives. Returns the exit status. */
export async function runRpc(
  options: AgentOptions & { version: string; bareEvents?: boolean; fullUpdates?: boolean },
): Promise<number> {
  const { version, bareEvents, fullUpdates } = options;
  const { [CONTROL_KEY_FILE]: _, ...env } = options.env;
  const isFromClient = lineCheck(options.env);
  const writer = createFrameWriter(takeStdout());
  const timeout = Number(env.GANTRY_RPC_DIALOG_TIMEOUT_MS);
  const agentDir = agentFolder(env);
  const host = createRpcHost({
    writer,
    agentDir,
    ...(timeout > 0 ? { dialogTimeoutMs: timeout } : {}),
    titles: env.GANTRY_RPC_EMIT_TITLE === "1",
    openUrls: env.GANTRY_RPC_OPEN_URL === "1",
  });
  const { ui } = host;
  const early: ExtensionFailure[] = [];
  let reportFailure = (failure: ExtensionFailure): void => void early.push(failure);
  const started = await startAgent({
    ...options,
    env,
    person: host.person,
    ui,
    showCommand: (text) => ui.notify(text),
    onExtensionFailure: (failure) => reportFailure(failure),
    guard: host.unattended.guard,
    flow: writer,
    // A session of the daemon serves the user; another client relies on the protocol's defaults.
    defaultWorkflow: isFromClient === undefined,
  });
  for (const problem of started.problems) process.stderr.write(`${problem}\n`);
  const { session, services, classify } = started;
  const input = process.stdin;
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.once(signal, () => input.destroy());
  const client = { ...(isFromClient && { isFromClient }), bareEvents, fullUpdates };
  const served = serveRpc({ session, services, classify, host, input, version, ...client });
  // The first frame is `ready`; serveRpc has sent it by now.
  reportFailure = ({ path, event, error }) =>
    writer.send({ type: "extension_error", extensionPath: path, event, error });
  for (const failure of early) reportFailure(failure);
  await served;
  return 0;
}

/**
 * Reserves stdout for frames: other output is redirected to stderr. Writes are non-blocking, so that this process keeps
 * reading commands, such as an abort, while its reader is slow.
 */
function takeStdout(): Writable {
  const { stdout, stderr } = process;
  const handle = (stdout as { _handle?: { setBlocking?(blocking: boolean): void } })._handle;
  handle?.setBlocking?.(false);
  const write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr) as typeof stdout.write;
  return new Proxy(stdout, {
    get(target, key) {
      if (key === "write") return write;
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
