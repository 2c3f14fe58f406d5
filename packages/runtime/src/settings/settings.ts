import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Mistake, SettingChanges, SettingList } from "@gantry/protocol";
import { Config, ConfigError, parseYaml } from "../config.ts";
import { describeSettings, flatten } from "./describe.ts";
import { editYaml, refusedChangeError, type YamlEdit } from "./edit-yaml.ts";

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
    this.edit(Object.entries(changes).map(([key, value]) => ({ keys: key.split("."), value })));
    const applied = known.filter(({ key }) => key in changes).map(({ key, takesEffect }) => ({ key, takesEffect }));
    return { settings: this.list(), applied };
  }

  /** Writes values into the file and applies them. Throws like `change`. */
  edit(edits: YamlEdit[]): void {
    // All parts share this object. Settings that the server read at start keep their value until the next start.
    const { server: _, ...now } = editYaml(this.#path, this.#text(), Config, edits);
    Object.assign(this.#inForce, now);
    this.#onChange();
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
}
