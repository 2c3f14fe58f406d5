import type { Changes, FileChange } from "@gantry/protocol";
import { useCallback, useEffect, useMemo, useState } from "react";
import { parseDiff } from "../diff/parse-diff.ts";
import { client } from "../store/connection/client.ts";
import { type FilePatchState, nameOf } from "./rows.ts";

const CONCURRENT = 4;
const FLUSH_MS = 30;

/** Loads the patches of files as they come into view, a few at a time. Results are applied together, once per flush. */
class PatchLoader {
  readonly #load: (file: FileChange) => Promise<FilePatchState>;
  readonly #publish: (found: ReadonlyMap<string, FilePatchState>) => void;
  readonly #asked = new Set<string>();
  readonly #waiting: FileChange[] = [];
  #found = new Map<string, FilePatchState>();
  #running = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    load: (file: FileChange) => Promise<FilePatchState>,
    publish: (found: ReadonlyMap<string, FilePatchState>) => void,
  ) {
    this.#load = load;
    this.#publish = publish;
  }

  /** Returns the withdrawal of the request: a file that was only scrolled past is not loaded. */
  request(file: FileChange): () => void {
    const name = nameOf(file);
    if (this.#asked.has(name)) return () => undefined;
    this.#asked.add(name);
    // The newest request first: it is what the user looks at.
    this.#waiting.unshift(file);
    this.#next();
    return () => {
      const at = this.#waiting.indexOf(file);
      if (at < 0) return;
      this.#waiting.splice(at, 1);
      this.#asked.delete(name);
    };
  }

  stop(): void {
    this.#waiting.length = 0;
    clearTimeout(this.#timer);
  }

  #next(): void {
    const file = this.#running < CONCURRENT ? this.#waiting.shift() : undefined;
    if (!file) return;
    this.#running++;
    this.#load(file)
      .catch((error: unknown) => ({ note: error instanceof Error ? error.message : String(error) }))
      .then((state) => {
        this.#running--;
        this.#found.set(nameOf(file), state);
        this.#timer ??= setTimeout(() => this.#flush(), FLUSH_MS);
        this.#next();
      });
    this.#next();
  }

  #flush(): void {
    this.#timer = undefined;
    const found = this.#found;
    this.#found = new Map();
    this.#publish(found);
  }
}

/** The patches of a list of changes by file. `request` loads one; both commits are fixed, so a patch never changes. */
export function usePatches(session: string, changes: Changes | undefined) {
  const { base, to } = changes ?? {};
  const [state, setState] = useState<{ of?: string; patches: ReadonlyMap<string, FilePatchState> }>({
    patches: new Map(),
  });
  const key = `${base} ${to}`;
  const loader = useMemo(
    () =>
      new PatchLoader(
        (file) => loadPatch(session, file, base, to),
        (found) =>
          setState((before) => ({
            of: key,
            patches: new Map([...(before.of === key ? before.patches : []), ...found]),
          })),
      ),
    [session, base, to, key],
  );
  useEffect(() => () => loader.stop(), [loader]);
  const request = useCallback((file: FileChange) => loader.request(file), [loader]);
  return { patches: state.of === key ? state.patches : NONE, request };
}

const NONE: ReadonlyMap<string, FilePatchState> = new Map();

async function loadPatch(session: string, file: FileChange, from?: string, to?: string): Promise<FilePatchState> {
  if (file.submodule) return { note: "A submodule. Only its commit changed." };
  if (file.binary) return { note: "A binary file." };
  const moved = file.to ? { moved: file.to } : {};
  const { patch, cut } = await client.changes.file(session, { path: file.path, ...moved, from, to });
  if (cut) return { note: "The changes are too large to show." };
  const hunks = parseDiff(patch);
  return hunks.length > 0 && patch.includes("@@") ? { hunks } : { note: describeEmpty(file) };
}

function describeEmpty({ kind, modes }: FileChange): string {
  if (modes) return `The mode changed from ${modes[0]} to ${modes[1]}.`;
  return kind === "move" ? "Moved without changes." : "An empty file.";
}
