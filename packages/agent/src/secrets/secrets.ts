import { join } from "node:path";
import type { ConfigProblem } from "@gantry/models";
import { type Entry, environmentEntries, fileEntries } from "./entries.ts";
import { makeOpener, type Opener, openText } from "./open.ts";
import { readSalt } from "./salt.ts";
import { makeSealer } from "./seal.ts";
import { mapTexts } from "./walk.ts";

export type SecretsOptions = {
  /** Off by default: then nothing is read and nothing is changed. */
  enabled?: boolean;
  env: Record<string, string | undefined>;
  cwd: string;
  agentDir: string;
  /** Default: `secrets.yml` of the agent's folder, then the project's, which wins. */
  files?: readonly string[];
  /** More values that nobody is to see, such as keys that were resolved. */
  values?: readonly string[];
};

/**
 * Covers secrets in what is sent to a model, and puts them back in what comes from it. Names of secrets are the same in
 * every session of the agent's folder. Nothing here throws.
 */
export interface Secrets {
  /** The whole body of a request, before it is made text. Pictures are left alone. */
  seal(body: unknown): unknown;
  /** For what came from the model, and never for what goes out. */
  open<Value>(value: Value): Value;
  /** For a text that comes in pieces. With `json` the pieces are JSON text, as those of a tool's arguments are. */
  opener(options?: { json?: boolean }): Opener;
  /** How many secrets and patterns are looked for. */
  readonly size: number;
  readonly problems: readonly ConfigProblem[];
}

export async function createSecrets(options: SecretsOptions): Promise<Secrets> {
  const { enabled = false, env, cwd, agentDir } = options;
  if (!enabled) return none([]);
  const files = options.files ?? [join(agentDir, "secrets.yml"), join(cwd, ".gantry", "secrets.yml")];
  const { entries, problems } = await fileEntries(files);
  const values = (options.values ?? [])
    .filter((value) => value.length >= 8)
    .map((content): Entry => ({ type: "plain", content, mode: "obfuscate" }));
  const all = [...environmentEntries(env), ...values, ...entries];
  if (all.length === 0) return none(problems);
  const { salt, problem } = readSalt(agentDir);
  if (problem) problems.push({ file: join(agentDir, "secrets.salt"), path: "", message: problem });
  const { names, seal, size } = makeSealer(all, salt);
  return {
    seal,
    open: <Value>(value: Value) => mapTexts(value, (text, json) => openText(text, names, json)) as Value,
    opener: ({ json = false } = {}) => makeOpener(names, json),
    size,
    problems,
  };
}

function none(problems: ConfigProblem[]): Secrets {
  const opener = () => ({ push: (delta: string) => delta, end: () => "" });
  return { seal: (body) => body, open: (value) => value, opener, size: 0, problems };
}
