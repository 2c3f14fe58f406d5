import { closeSync, existsSync, mkdirSync, openSync, readdirSync, readSync, rmSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { replaceFile } from "@gantry/models/replace-file";
import {
  type BrokenIdentity,
  GantryError,
  IdentityFile,
  IdentityName,
  MemoryName,
  type Mistake,
  type PutIdentity,
} from "@gantry/protocol";
import { ConfigError, parseYaml } from "../config.ts";

const yaml = () => createRequire(import.meta.url)("yaml") as typeof import("yaml");

/** An identity as defined by its files now. */
export type StoredIdentity = IdentityFile & {
  name: string;
  folder: string;
  persona: string;
  memory: { name: string; text: string; size: number; updatedAt: string }[];
};

const FILE = "identity.yml";
const PERSONA = "persona.md";
const MEMORY = "memory";
/** Read limit of a file. It exceeds what is ever put into the context. */
const LONGEST_FILE = 1024 * 1024;

/** `GANTRY_HOME/identities`, with one folder per identity. Files are read on demand and not cached. */
export class IdentityFolders {
  readonly #root: string;

  constructor(home: string) {
    this.#root = join(home, "identities");
  }

  /** Names of all folders with an `identity.yml`, including invalid ones. */
  names(): string[] {
    if (!existsSync(this.#root)) return [];
    return readdirSync(this.#root)
      .filter((name) => IdentityName.safeParse(name).success && existsSync(join(this.#root, name, FILE)))
      .sort();
  }

  list(): { identities: StoredIdentity[]; broken: BrokenIdentity[] } {
    const identities: StoredIdentity[] = [];
    const broken: BrokenIdentity[] = [];
    for (const name of this.names()) {
      const found = this.#read(name);
      if ("problems" in found) broken.push(found);
      else identities.push(found);
    }
    return { identities, broken };
  }

  /** `undefined` if there is none. Throws `invalid` with the mistakes in its file. */
  get(name: string): StoredIdentity | undefined {
    if (!existsSync(join(this.folder(name), FILE))) return undefined;
    const found = this.#read(name);
    if (!("problems" in found)) return found;
    const lines = found.problems.map(({ line, message }) => `line ${line}: ${message}`);
    throw new GantryError("invalid", `${found.path} has mistakes: ${lines.join("; ")}.`, {
      remedy: "Correct the file. Nothing was changed.",
      details: found.problems,
    });
  }

  /** Omitted fields keep their value. */
  put(name: string, { persona, memory = {}, ...settings }: PutIdentity): void {
    const folder = this.folder(name);
    mkdirSync(join(folder, MEMORY), { recursive: true, mode: 0o700 });
    for (const [file, text] of Object.entries(memory)) {
      const path = join(folder, MEMORY, file);
      if (text === null) rmSync(path, { force: true });
      else replaceFile(path, text);
    }
    if (persona !== undefined) replaceFile(join(folder, PERSONA), persona);
    // Last, because a folder without it is not an identity.
    replaceFile(join(folder, FILE), yaml().stringify({ name, ...settings }));
  }

  /** Without `purge` persona and memory stay, and a new identity of the same name uses them. */
  remove(name: string, purge: boolean): void {
    if (purge) rmSync(this.folder(name), { recursive: true, force: true, maxRetries: 3 });
    else rmSync(join(this.folder(name), FILE), { force: true });
  }

  folder(name: string): string {
    return join(this.#root, name);
  }

  memoryFolder(name: string): string {
    return join(this.folder(name), MEMORY);
  }

  /** The default working folder of an identity. */
  workFolder(name: string): string {
    const folder = join(this.folder(name), "work");
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return folder;
  }

  #read(name: string): StoredIdentity | BrokenIdentity {
    const folder = this.folder(name);
    const path = join(folder, FILE);
    try {
      const file = parseYaml(path, beginningOf(path), IdentityFile);
      if (file.name !== undefined && file.name !== name) {
        const message = `name: the folder is called ${name}`;
        return { name, path, problems: [{ line: lineOfName(path), message }] };
      }
      return { ...file, name, folder, persona: readIfExists(join(folder, PERSONA)), memory: this.#memory(name) };
    } catch (error) {
      return { name, path, problems: mistakesOf(error) };
    }
  }

  #memory(name: string): StoredIdentity["memory"] {
    const folder = this.memoryFolder(name);
    if (!existsSync(folder)) return [];
    const files = readdirSync(folder).filter((file) => MemoryName.safeParse(file).success);
    return files.sort().flatMap((file) => {
      const path = join(folder, file);
      const stat = statSync(path, { throwIfNoEntry: false });
      if (!stat?.isFile()) return [];
      const text = readIfExists(path);
      return [{ name: file, text, size: text.length, updatedAt: stat.mtime.toISOString() }];
    });
  }
}

function readIfExists(path: string): string {
  return existsSync(path) ? beginningOf(path) : "";
}

function beginningOf(path: string): string {
  const file = openSync(path, "r");
  try {
    const bytes = Buffer.alloc(LONGEST_FILE);
    const length = readSync(file, bytes, 0, LONGEST_FILE, 0);
    return bytes.toString("utf8", 0, length);
  } finally {
    closeSync(file);
  }
}

function lineOfName(path: string): number {
  const lines = beginningOf(path).split("\n");
  return Math.max(1, lines.findIndex((line) => /^\s*["']?name\b/.test(line)) + 1);
}

function mistakesOf(error: unknown): Mistake[] {
  if (error instanceof ConfigError) return error.mistakes;
  return [{ line: 1, message: `cannot be read: ${(error as Error).message}` }];
}
