import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { readRegularFile } from "@gantry/trust";

/** Larger files are ignored. */
const MOST_BYTES = 1024 * 1024;

/** Where an agent of the OpenCode family has its user's configuration. */
type ConfigPlaces = {
  /** Below the user's configuration folder. */
  folder: string;
  /** In the folder; a later one overrides an earlier one. */
  files: readonly string[];
  /** Of its variables: `<prefix>_CONFIG` names a file, `_CONFIG_DIR` a folder, `_CONFIG_CONTENT` is a configuration. */
  prefix: string;
};

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads `small_model` of the user's configuration. The project's configuration is not read, because it needs trust. The
 * result never throws: a file that cannot be read or parsed counts as empty.
 */
export function smallModelSetting({ folder, files, prefix }: ConfigPlaces) {
  return async (env: Environment): Promise<string | undefined> => {
    const home = env.HOME || homedir();
    const base = env.XDG_CONFIG_HOME && isAbsolute(env.XDG_CONFIG_HOME) ? env.XDG_CONFIG_HOME : join(home, ".config");
    const inFolder = (at: string) => files.map((file) => join(at, file));
    const [file, dir, content] = ["CONFIG", "CONFIG_DIR", "CONFIG_CONTENT"].map((name) => env[`${prefix}_${name}`]);
    const paths = [...inFolder(join(base, folder)), ...(file ? [file] : []), ...(dir ? inFolder(dir) : [])];
    const texts = [...paths.filter((path) => isAbsolute(path)).map(readText), content ?? ""].filter(Boolean);
    if (texts.length === 0) return undefined;
    const { parseConfig } = await import("@gantry/models/config-document");
    const settings = texts.map((text) => parseConfig("config.jsonc", text).value as { small_model?: unknown } | null);
    const found = settings.map((value) => value?.small_model).findLast((model) => model !== undefined);
    return typeof found === "string" && found !== "" ? found : undefined;
  };
}

function readText(path: string): string {
  try {
    return readRegularFile(path, MOST_BYTES).toString("utf8");
  } catch {
    return "";
  }
}
