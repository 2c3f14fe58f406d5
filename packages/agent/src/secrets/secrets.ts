import { join } from "node:path";
import type { ConfigProblem } from "@gantry/models";
import { type Entry, environmentEntries, fileEntries, SHORTEST_VALUE } from "./entries.ts";
import { makeOpener, type Opener, openText } from "./open.ts";
import { readSalt } from "./salt.ts";
import { makeSealer, type Sealer } from "./seal.ts";
import { mapTexts } from "./walk.ts";

export type SecretsOptions = {
  /** Off by default: then nothing is read and nothing is changed. */
  enabled?: boolean;
  env: Record<string, string | undefined>;
  cwd: string;
  agentDir: string;
  /** Default: `secrets.yml` of the agent's folder, then the project's, which takes precedence. */
  files?: readonly string[];
  /** Further secret values, such as resolved keys. Called before each request, because they change. */
  values?(): readonly string[];
};

const GENERATIONS = 4;

/**
 * Replaces secrets with placeholders in requests to a model, and restores them in its answers. A secret has the same
 * placeholder in every session of the agent's folder. Never throws.
 */
export interface Secrets {
  /** Seals the whole body of a request before it is serialised. Pictures stay unchanged. */
  seal(body: unknown): unknown;
  /** For data that came from the model, never for data that is sent. */
  open<Value>(value: Value): Value;
  /** For a text that arrives in pieces. With `json` the pieces are JSON text, such as a tool's arguments. */
  opener(options?: { json?: boolean }): Opener;
  /** How many secrets and patterns are active. */
  readonly size: number;
  readonly problems: readonly ConfigProblem[];
}

export async function createSecrets(options: SecretsOptions): Promise<Secrets> {
  const { enabled = false, env, cwd, agentDir, values = () => [] } = options;
  if (!enabled) return createPassThrough();
  const files = options.files ?? [join(agentDir, "secrets.yml"), join(cwd, ".gantry", "secrets.yml")];
  const { entries, problems } = await fileEntries(files);
  const salt = memoize(() => {
    const { salt, problem } = readSalt(agentDir);
    if (problem) problems.push({ file: join(agentDir, "secrets.salt"), path: "", message: problem });
    return salt;
  });
  const sealers = makeGenerations(values, (found) => {
    const plain = found.map((content): Entry => ({ type: "plain", content, mode: "obfuscate" }));
    const all = [...environmentEntries(env), ...plain, ...entries];
    return all.length === 0 ? undefined : makeSealer(all, salt());
  });
  // Problems are known from the start.
  sealers();
  return {
    seal: (body) => sealers()[0]?.seal(body) ?? body,
    open: <Value>(value: Value) =>
      sealers().reduce(
        (found, { names }) => mapTexts(found, (text, json) => openText(text, names, json)) as Value,
        value,
      ),
    opener: ({ json = false } = {}) => chainOpeners(sealers().map(({ names }) => makeOpener(names, json))),
    get size() {
      return sealers()[0]?.size ?? 0;
    },
    problems,
  };
}

/**
 * The sealer for the current values, followed by the previous ones: an answer to a request that was sealed before a value
 * changed is opened by the sealer of that request.
 */
function makeGenerations(
  values: () => readonly string[],
  make: (values: readonly string[]) => Sealer | undefined,
): () => readonly Sealer[] {
  let known: string | undefined;
  let sealers: Sealer[] = [];
  return () => {
    const found = values().filter((value) => value.length >= SHORTEST_VALUE);
    const key = found.join("\0");
    if (key === known) return sealers;
    known = key;
    const sealer = make(found);
    if (sealer) sealers = [sealer, ...sealers].slice(0, GENERATIONS);
    return sealers;
  };
}

function chainOpeners(openers: readonly Opener[]): Opener {
  return {
    push: (delta) => openers.reduce((text, opener) => opener.push(text), delta),
    end: () => openers.reduce((text, opener) => opener.push(text) + opener.end(), ""),
  };
}

function memoize<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

function createPassThrough(): Secrets {
  const opener = () => ({ push: (delta: string) => delta, end: () => "" });
  return { seal: (body) => body, open: (value) => value, opener, size: 0, problems: [] };
}
