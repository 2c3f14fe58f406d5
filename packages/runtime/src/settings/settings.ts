import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { replaceFile } from "@gantry/models/replace-file";
import { GantryError, type Mistake, type SettingChanges, type SettingList } from "@gantry/protocol";
import type { Document } from "yaml";
import { Config, ConfigError, parseYaml } from "../config.ts";
import { describeSettings, flatten } from "./describe.ts";

/** Loaded on demand: most homes have no file to parse, and loading the parser would double the start time. */
const yaml = () => createRequire(import.meta.url)("yaml") as typeof import("yaml");

/**
 * The daemon's settings, in a file that people edit too. A change is written to the file and applied to the active
 * configuration, except for settings that the server reads only at start.
 */
export class Settings {
  readonly #path: string;
  readonly #inForce: Config;

  readonly #onChange: () => void;

  constructor(home: string, inForce: Config, onChange: () => void = () => {}) {
    this.#onChange = onChange;
    this.#path = join(home, "config.yml");
    this.#inForce = inForce;
  }

  list(): SettingList {
    const { config, problems } = this.#read();
    const values = flatten(config);
    const defaults = flatten(Config.parse({}));
    const settings = describeSettings().map((setting) => {
      const value = values[setting.key];
      return value === undefined ? setting : { ...setting, value };
    });
    return { path: this.#path, values, defaults, problems, settings };
  }

  /** Throws `invalid` for what is no setting or no value of it, `conflict` when the file has mistakes already. */
  change(changes: SettingChanges) {
    const known = describeSettings();
    const strange = Object.keys(changes).filter((key) => !known.some((setting) => setting.key === key));
    if (strange.length > 0) throw refusedChangeError(strange.map((path) => ({ path, message: "is not a setting" })));
    const text = this.#text();
    const document = this.#open(text);
    for (const [key, value] of Object.entries(changes)) put(document, key.split("."), value);
    const next = this.#check(document.toString({ lineWidth: 0 }));
    replaceFile(this.#path, next.text);
    // All parts share this object. Settings that the server read at start keep their value until the next start.
    const { server: _, ...now } = next.config;
    Object.assign(this.#inForce, now);
    this.#onChange();
    const applied = known.filter(({ key }) => key in changes).map(({ key, takesEffect }) => ({ key, takesEffect }));
    return { settings: this.list(), applied };
  }

  #read(): { config: Config; problems: Mistake[] } {
    try {
      return { config: parseYaml(this.#path, this.#text(), Config), problems: [] };
    } catch (error) {
      if (error instanceof ConfigError) return { config: this.#inForce, problems: error.mistakes };
      throw error;
    }
  }

  #text(): string {
    try {
      return readFileSync(this.#path, "utf8");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
      throw new ConfigError(`${this.#path} cannot be read: ${(error as Error).message}`);
    }
  }

  #open(text: string): Document {
    const { problems } = this.#read();
    if (problems.length > 0) {
      const lines = problems.map(({ line, message }) => `line ${line}: ${message}`);
      throw new GantryError("conflict", `${this.#path} has mistakes: ${lines.join("; ")}. Nothing was changed.`, {
        remedy: "Correct the file by hand first.",
        details: problems,
      });
    }
    const document = yaml().parseDocument(text);
    // An empty file has no contents to add to; the document preserves its comments.
    if (!yaml().isMap(document.contents)) document.contents = document.createNode({}) as never;
    return document;
  }

  #check(text: string): { text: string; config: Config } {
    const parsed = Config.safeParse(yaml().parse(text) ?? {});
    if (parsed.success) return { text, config: parsed.data };
    throw refusedChangeError(parsed.error.issues.map(({ path, message }) => ({ path: path.join("."), message })));
  }
}

/** `null` takes the entry away, and with the last of them what held it. */
function put(document: Document, keys: string[], value: SettingChanges[string]): void {
  const { isMap } = yaml();
  // Replacing a scalar in place preserves the comment on its line.
  if (value !== null) return document.setIn(keys, Array.isArray(value) ? document.createNode(value) : value);
  if (!document.hasIn(keys)) return;
  document.deleteIn(keys);
  const holder = document.getIn(keys.slice(0, -1), true);
  if (keys.length > 1 && isMap(holder) && holder.items.length === 0) document.deleteIn(keys.slice(0, -1));
}

function refusedChangeError(details: { path: string; message: string }[]): GantryError {
  const sentences = details.map(({ path, message }) => `${path}: ${message}`);
  return new GantryError("invalid", `Nothing was changed: ${sentences.join("; ")}.`, { details });
}
