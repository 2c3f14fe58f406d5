import type { Command } from "@gantry/protocol";
import fuzzysort from "fuzzysort";
import { useEffect, useState } from "react";
import { client } from "../../store/connection/client.ts";
import type { Mention } from "./mention.ts";

/** One completion of a mention. `value` is what is inserted. */
export type Suggestion = { value: string; label: string; detail?: string; kind: "file" | "folder" | "command" };

/** Where suggestions come from: the files of a session's folder or of `cwd`, and the agent's commands. */
export type SuggestSource = { session?: string; cwd?: string; commands: readonly Command[] };

const DEBOUNCE_MS = 120;
const MOST_FILES = 12;
/** The list scrolls, so that all commands can be read without knowing a name. */
const MOST_COMMANDS = 200;

/** Suggestions for the mention at the caret, best match first. */
export function useSuggestions(mention: Mention | undefined, source: SuggestSource): readonly Suggestion[] {
  const [found, setFound] = useState<readonly Suggestion[]>([]);
  const { session, cwd, commands } = source;
  const kind = mention?.kind;
  const query = mention?.query ?? "";
  useEffect(() => {
    if (!kind) return setFound([]);
    if (kind === "command") return setFound(matchCommands(commands, query));
    if (!session && !cwd) return setFound([]);
    const stop = new AbortController();
    const timer = setTimeout(async () => {
      const files = await findFiles({ session, cwd }, query, stop.signal).catch(() => []);
      if (!stop.signal.aborted) setFound(files);
    }, DEBOUNCE_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [kind, query, session, cwd, commands]);
  return mention ? found : [];
}

/** Commands whose name or description matches. An empty query gives all commands in the agent's order. */
export function matchCommands(commands: readonly Command[], query: string): Suggestion[] {
  const suggest = ({ name, description, hint }: Command): Suggestion => ({
    value: name,
    label: `/${name}${hint ? ` ${hint}` : ""}`,
    detail: description,
    kind: "command",
  });
  if (query === "") return commands.slice(0, MOST_COMMANDS).map(suggest);
  const options = { keys: ["name", "description"], limit: MOST_COMMANDS, threshold: 0.3 };
  return fuzzysort.go(query, commands as Command[], options).map(({ obj }) => suggest(obj));
}

async function findFiles(
  { session, cwd }: Pick<SuggestSource, "session" | "cwd">,
  q: string,
  signal: AbortSignal,
): Promise<Suggestion[]> {
  const where = session ? { session } : { cwd };
  const { files } = await client.files.find({ ...where, q, limit: MOST_FILES }, signal);
  return files.map(({ path, kind }) => ({ value: path, label: path, kind }));
}
