import { existsSync } from "node:fs";
import { delimiter, dirname, isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type ProjectTrust, trustRemedy } from "../../trust/project-trust.ts";

export type Language = "py" | "js";

/** The languages of the settings, unless GANTRY_PY overrides them. */
export function languagesOf(settings: Partial<Record<Language, boolean>>, wish: string | undefined): Language[] {
  if (wish === "0" || wish === "bash") return ["js"];
  if (wish === "1" || wish === "py") return ["py"];
  if (wish === "mix" || wish === "both") return ["py", "js"];
  return (["py", "js"] as const).filter((each) => settings[each] !== false);
}

/** How to start a kernel, or why it is not possible. `note`: information for the model about the choice. */
export type Launch = { command: string[]; env: Record<string, string>; note?: string } | { missing: string };

export type LaunchOptions = { cwd: string; agentDir: string; env: Record<string, string>; trust: ProjectTrust };

const PASSED_VARIABLES =
  /^(PATH|HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|TZ|TMPDIR|TEMP|TMP|TERM|VIRTUAL_ENV|PYTHONPATH|PYTHONHOME|CONDA_PREFIX|PYENV_ROOT|PYENV_VERSION|NODE_PATH|SSL_CERT_FILE|SSL_CERT_DIR|REQUESTS_CA_BUNDLE|DISPLAY|HTTPS?_PROXY|NO_PROXY|https?_proxy|no_proxy|SYSTEMROOT|COMSPEC)$|^(LC_|XDG_|GANTRY_)/;

export function launch(language: Language, options: LaunchOptions): Launch {
  return language === "py" ? launchPython(options) : launchNode(options);
}

/** Passes only the variables that programs need to run. */
function filterEnvironment(env: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => PASSED_VARIABLES.test(name)));
}

/** An interpreter that the project supplies is only used if it is trusted. */
function launchPython({ cwd, agentDir, env, trust }: LaunchOptions): Launch {
  const runner = fileURLToPath(new URL("./runner.py", import.meta.url));
  const pythonEnv = { ...filterEnvironment(env), PYTHONUNBUFFERED: "1", PYTHONIOENCODING: "utf-8" };
  const ofProject = projectInterpreters(cwd).filter((python) => trust.isProjectPath(python));
  const places = [env.VIRTUAL_ENV, join(agentDir, "../python-env")].map((venv) => venv && join(venv, "bin/python"));
  const pythons = [places[0], ...ofProject, places[1]].filter((python) => python && existsSync(python)) as string[];
  const python = pythons.find((each) => trust.isProgramTrusted(each));
  const refused = pythons.find((each) => !trust.isProgramTrusted(each));
  const note =
    refused && refused !== python ? { note: `${refused} is not used: it is not trusted. ${trustRemedy(trust)}` } : {};
  if (python) {
    const bin = dirname(python);
    const path = `${bin}${delimiter}${env.PATH ?? ""}`;
    return { command: [python, "-u", runner], env: { ...pythonEnv, VIRTUAL_ENV: dirname(bin), PATH: path }, ...note };
  }
  const found = onPath(["python3", "python"], env.PATH ?? "").find((each) => trust.isProgramTrusted(each));
  const { VIRTUAL_ENV: _untrusted, ...plain } = pythonEnv as Record<string, string>;
  if (found) return { command: [found, "-u", runner], env: plain, ...note };
  const none = "There is no Python here (no virtual environment, and neither python3 nor python on the PATH).";
  return { missing: note.note === undefined ? none : `${none} ${note.note}` };
}

/** The virtual environments in a project's folder. */
export function projectInterpreters(cwd: string): string[] {
  return [".venv", "venv"].map((venv) => join(cwd, venv, "bin/python")).filter((python) => existsSync(python));
}

function launchNode({ env }: LaunchOptions): Launch {
  const runner = fileURLToPath(new URL("./runner.mjs", import.meta.url));
  return { command: [process.execPath, "--no-warnings", runner], env: filterEnvironment(env) };
}

function onPath(names: readonly string[], path: string): string[] {
  const folders = path.split(delimiter).filter((folder) => isAbsolute(folder));
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).filter((file) => existsSync(file));
}
