import { spawn } from "node:child_process";
import type { ProviderConfig } from "./schema.ts";

const COMMAND_MS = 10_000;
/** No key is longer. A command that prints without end is ended. */
const MAX_KEY_CHARS = 64 * 1024;

/**
 * The keys from models.yml, the source with the lowest precedence. `has` never runs a command: a command counts as a key
 * until it has failed.
 */
export type ConfigKeys = {
  has(provider: string): boolean;
  /** The key, if any. The output of a command is cached for the process; failures are not. */
  key(provider: string, signal?: AbortSignal): Promise<string | undefined>;
  /** The key if it is known without running a command. */
  peek(provider: string): string | undefined;
};

export type KeyOptions = {
  providers: () => ReadonlyMap<string, ProviderConfig>;
  env: Record<string, string | undefined>;
  /** Timeout of a command in milliseconds. */
  commandMs?: number;
};

export function configKeys({ providers, env, commandMs = COMMAND_MS }: KeyOptions): ConfigKeys {
  const printed = new Map<string, Promise<string | undefined>>();
  const known = new Map<string, string>();
  const failed = new Set<string>();

  const run = (command: string): Promise<string | undefined> => {
    const running = printed.get(command) ?? runCommand(command, env, commandMs);
    printed.set(command, running);
    return running.then((key) => {
      if (key !== undefined) {
        known.set(command, key);
        failed.delete(command);
      } else {
        printed.delete(command);
        failed.add(command);
      }
      return key;
    });
  };

  const peek = (provider: string): string | undefined => {
    const { apiKey, apiKeyEnv } = providers().get(provider) ?? {};
    if (apiKeyEnv) return env[apiKeyEnv] || undefined;
    if (apiKey?.startsWith("!")) return known.get(apiKey.slice(1));
    return apiKey && (env[apiKey] || apiKey);
  };
  return {
    peek,
    has(provider) {
      const { apiKey } = providers().get(provider) ?? {};
      return apiKey?.startsWith("!") ? !failed.has(apiKey.slice(1)) : peek(provider) !== undefined;
    },
    async key(provider, signal) {
      const { apiKey } = providers().get(provider) ?? {};
      if (!apiKey?.startsWith("!")) return peek(provider);
      const pending = run(apiKey.slice(1));
      return signal ? await Promise.race([pending, whenAborted(signal)]) : await pending;
    },
  };
}

function whenAborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    else signal.addEventListener("abort", () => resolve(undefined), { once: true });
  });
}

/**
 * The trimmed output of a shell command; `undefined` if it fails, prints nothing, prints too much or times out. The command
 * leads a process group, so that its children end with it.
 */
function runCommand(command: string, env: KeyOptions["env"], limit: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const child = spawn("/bin/sh", ["-c", command], { env, detached: true, stdio: ["ignore", "pipe", "ignore"] });
    let printed = "";
    const end = (key: string | undefined) => {
      clearTimeout(timer);
      child.stdout.destroy();
      resolve(key);
    };
    const giveUp = () => {
      killGroup(child.pid);
      end(undefined);
    };
    const timer = setTimeout(giveUp, limit);
    child.stdout.setEncoding("utf8").on("data", (piece: string) => {
      printed += piece;
      if (printed.length > MAX_KEY_CHARS) giveUp();
    });
    child.on("error", () => end(undefined));
    child.on("close", (code) => end(code === 0 ? printed.trim() || undefined : undefined));
  });
}

function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // The process has already exited.
  }
}
