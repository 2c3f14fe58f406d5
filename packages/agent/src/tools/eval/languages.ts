import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

export type Language = "py" | "js";

/** Those that the settings leave, unless GANTRY_PY says which of them there are. */
export function languagesOf(settings: Partial<Record<Language, boolean>>, wish: string | undefined): Language[] {
  if (wish === "0" || wish === "bash") return ["js"];
  if (wish === "1" || wish === "py") return ["py"];
  if (wish === "mix" || wish === "both") return ["py", "js"];
  return (["py", "js"] as const).filter((each) => settings[each] !== false);
}

/** How a kernel is started, or why it cannot be. */
export type Launch = { command: string[]; env: Record<string, string> } | { missing: string };

export type LaunchOptions = { cwd: string; agentDir: string; env: Record<string, string> };

const KEPT =
  /^(PATH|HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|TZ|TMPDIR|TEMP|TMP|TERM|VIRTUAL_ENV|PYTHONPATH|PYTHONHOME|CONDA_PREFIX|PYENV_ROOT|PYENV_VERSION|NODE_PATH|SSL_CERT_FILE|SSL_CERT_DIR|REQUESTS_CA_BUNDLE|DISPLAY|HTTPS?_PROXY|NO_PROXY|https?_proxy|no_proxy|SYSTEMROOT|COMSPEC)$|^(LC_|XDG_|GANTRY_)/;

export function launch(language: Language, options: LaunchOptions): Launch {
  return language === "py" ? launchPython(options) : launchNode(options);
}

/** Of the environment only what programs need to run at all; the rest is nobody's business. */
function filtered(env: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => KEPT.test(name)));
}

function launchPython({ cwd, agentDir, env }: LaunchOptions): Launch {
  const runner = fileURLToPath(new URL("./runner.py", import.meta.url));
  const kept = { ...filtered(env), PYTHONUNBUFFERED: "1", PYTHONIOENCODING: "utf-8" };
  const places = [env.VIRTUAL_ENV, join(cwd, ".venv"), join(cwd, "venv"), join(agentDir, "../python-env")];
  for (const venv of places) {
    const python = venv && join(venv, "bin/python");
    if (python && existsSync(python)) {
      const path = `${join(venv, "bin")}${delimiter}${env.PATH ?? ""}`;
      return { command: [python, "-u", runner], env: { ...kept, VIRTUAL_ENV: venv, PATH: path } };
    }
  }
  const found = onPath(["python3", "python"], env.PATH ?? "");
  if (found) return { command: [found, "-u", runner], env: kept };
  return { missing: "There is no Python here (no virtual environment, and neither python3 nor python on the PATH)." };
}

function launchNode({ env }: LaunchOptions): Launch {
  const runner = fileURLToPath(new URL("./runner.mjs", import.meta.url));
  return { command: [process.execPath, "--no-warnings", runner], env: filtered(env) };
}

function onPath(names: readonly string[], path: string): string | undefined {
  const folders = path.split(delimiter).filter(Boolean);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find((file) => existsSync(file));
}
