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
  /** Default: `secrets.yml` of the agent's folder, then the project's, which wins. */
  files?: readonly string[];
  /** More values that nobody is to see, such as keys that were resolved. Asked before each request: they come and go. */
  values?(): readonly string[];
};

const GENERATIONS = 4;

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
  const { enabled = false, env, cwd, agentDir, values = () => [] } = options;
  if (!enabled) return none();
  const files = options.files ?? [join(agentDir, "secrets.yml"), join(cwd, ".gantry", "secrets.yml")];
  const { entries, problems } = await fileEntries(files);
  const salt = once(() => {
    const { salt, problem } = readSalt(agentDir);
    if (problem) problems.push({ file: join(agentDir, "secrets.salt"), path: "", message: problem });
    return salt;
  });
  const sealers = makeGenerations(values, (found) => {
    const plain = found.map((content): Entry => ({ type: "plain", content, mode: "obfuscate" }));
    const all = [...environmentEntries(env), ...plain, ...entries];
    return all.length === 0 ? undefined : makeSealer(all, salt());
  });
  // What is wrong is known from the start.
  sealers();
  return {
    seal: (body) => sealers()[0]?.seal(body) ?? body,
    open: <Value>(value: Value) =>
      sealers().reduce(
        (found, { names }) => mapTexts(found, (text, json) => openText(text, names, json)) as Value,
        value,
      ),
    opener: ({ json = false } = {}) => chained(sealers().map(({ names }) => makeOpener(names, json))),
    get size() {
      return sealers()[0]?.size ?? 0;
    },
    problems,
  };
}

/**
 * The sealer for the values of now, and behind it the last ones before: an answer that was asked for before a value came
 * is opened by whoever sealed its request.
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

function chained(openers: readonly Opener[]): Opener {
  return {
    push: (delta) => openers.reduce((text, opener) => opener.push(text), delta),
    end: () => openers.reduce((text, opener) => opener.push(text) + opener.end(), ""),
  };
}

function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

function none(): Secrets {
  const opener = () => ({ push: (delta: string) => delta, end: () => "" });
  return { seal: (body) => body, open: (value) => value, opener, size: 0, problems: [] };
}
