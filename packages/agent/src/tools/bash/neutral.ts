import { isHarmlessVariable } from "../../permissions/bash/reading/variables.ts";

/**
 * The environment of commands that count as reading. Without it some of them would do more: refresh git's index, run hooks or a
 * pager, write logs, look for updates, or run a program that the project names.
 */
export const NEUTRAL_ENVIRONMENT: Readonly<Record<string, string>> = {
  PAGER: "cat",
  MANPAGER: "cat",
  GIT_PAGER: "cat",
  SYSTEMD_PAGER: "cat",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_NO_LAZY_FETCH: "1",
  GIT_TERMINAL_PROMPT: "0",
  GIT_CONFIG_COUNT: "3",
  GIT_CONFIG_KEY_0: "core.fsmonitor",
  GIT_CONFIG_VALUE_0: "false",
  GIT_CONFIG_KEY_1: "core.hooksPath",
  GIT_CONFIG_VALUE_1: "/dev/null",
  GIT_CONFIG_KEY_2: "log.showSignature",
  GIT_CONFIG_VALUE_2: "false",
  LESSOPEN: "",
  LESSSECURE: "1",
  RIPGREP_CONFIG_PATH: "",
  TAR_OPTIONS: "",
  BASH_ENV: "",
  ENV: "",
  CDPATH: "",
  GOTOOLCHAIN: "local",
  npm_config_update_notifier: "false",
  npm_config_logs_max: "0",
  // The project's `.npmrc` could name folders that npm then creates; npm quotes unknown lines of the user's one.
  npm_config_cache: "/dev/null",
  npm_config_userconfig: "/dev/null",
  npm_config_logs_dir: "",
  PIP_DISABLE_PIP_VERSION_CHECK: "1",
  PYTHONDONTWRITEBYTECODE: "1",
};

const READING_BLOCK = "# Set by commands that read:\n";
/** A variable without attributes, as `declare -p` prints it. Other values have other quotes and are left out. */
const DECLARATION = /^declare -([-x]) ([A-Za-z_]\w*)="((?:[^"\\$`]|\\["\\$`])*)"$/gm;

/** Variables that bash itself uses. The others have no effect on programs as long as they are not exported. */
const OF_BASH =
  /^(IFS|PS\d|PATH|ENV|HOME|CDPATH|GLOBIGNORE|FIGNORE|EXECIGNORE|INPUTRC|HIST\w*|MAIL\w*|POSIXLY_CORRECT|PROMPT_\w*|TIMEFORMAT|TMOUT|TMPDIR|OPT\w*|FUNCNEST|FCEDIT|EMACS|READLINE_\w*|COMP\w*|BASH\w*|CHILD_MAX|SHELL\w*|UID|EUID|PPID|SECONDS|LINENO|auto_resume|histchars|__gantry\w*)$/;

/**
 * The variables in a shell's saved state that a reading command may see. A command that was allowed to change things may have left
 * anything there, so functions, aliases and variables that programs or bash read are left out. `env`: what is exported anyway.
 */
export function harmlessVariables(state: string, env: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    harmlessDeclarations(state, env).map(({ name, value }) => [name, value.replace(/\\(["\\$`])/g, "$1")]),
  );
}

/** The part of a saved state that a reading command starts with. */
export function neutralState(state: string, env: Readonly<Record<string, string>>): string {
  return harmlessDeclarations(state, env)
    .map(({ name, value, exported }) => `declare -${exported ? "x" : "-"} ${name}="${value}"\n`)
    .join("");
}

function harmlessDeclarations(state: string, env: Readonly<Record<string, string>>) {
  return [...state.matchAll(DECLARATION)].flatMap(([, kind, name = "", value = ""]) => {
    if (isHarmlessVariable(name)) return [{ name, value, exported: kind === "x" }];
    return OF_BASH.test(name) || Object.hasOwn(env, name) || Object.hasOwn(NEUTRAL_ENVIRONMENT, name)
      ? []
      : [{ name, value, exported: false }];
  });
}

/** The state after a reading command: what was saved before it, and the variables that it set. */
export function mergeState(before: string, after: string, env: Readonly<Record<string, string>>): string {
  return `${before.split(READING_BLOCK)[0]}${READING_BLOCK}${neutralState(after, env)}# end\n`;
}
