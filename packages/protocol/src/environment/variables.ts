import { z } from "zod";

/**
 * Variables that make an otherwise harmless program run code, load a library or read a configuration of the caller's
 * choice, by the program that reads them. A trailing `*` stands for any rest, a leading one for any start. Matching ignores
 * case, because several programs do.
 */
const LOADERS = {
  "the dynamic loader and the C library": [
    ...["LD_*", "DYLD_*", "_RLD_*", "LDR_*", "GCONV_PATH", "LOCPATH", "NLSPATH", "GETCONF_DIR", "HOSTALIASES"],
    ...["MALLOC_TRACE", "RES_OPTIONS", "RESOLV_*", "TZDIR", "TERMCAP", "TERMINFO", "TERMINFO_DIRS", "GLIBC_TUNABLES"],
  ],
  shells: [
    ...["BASH_*", "ENV", "SHELL", "SHELLOPTS", "BASHOPTS", "PROMPT_COMMAND", "PS0", "PS1", "PS2", "PS3", "PS4", "IFS"],
    ...["ZDOTDIR", "ZSH_*", "FPATH", "CDPATH", "GLOBIGNORE", "INPUTRC", "KSH_*", "FISH_*", "*_PROMPT_COMMAND"],
  ],
  git: ["GIT_*"],
  "remote shells and password prompts": [
    "*_ASKPASS",
    "*_RSH",
    "SVN_SSH",
    "SSH_SK_*",
    "SSH_PKCS11_HELPER",
    "*_SSH_COMMAND",
  ],
  "editors, pagers and viewers": [
    ...[
      "EDITOR",
      "*_EDITOR",
      "VISUAL",
      "PAGER",
      "*PAGER",
      "LESS*",
      "MORE",
      "MANOPT",
      "MANPATH",
      "BROWSER",
      "*_BROWSER",
    ],
    ...["VIMINIT", "GVIMINIT", "EXINIT", "VIM", "VIMRUNTIME", "MYVIMRC", "NVIM_*", "EMACSLOADPATH", "EMACSDATA"],
  ],
  "language runtimes": [
    ...[
      "NODE_*",
      "ELECTRON_*",
      "BUN_*",
      "DENO_*",
      "TSX_*",
      "TS_NODE_*",
      "NPM_CONFIG_*",
      "YARN_*",
      "PNPM_*",
      "COREPACK_*",
    ],
    ...["PYTHON*", "PIP_*", "UV_*", "VIRTUAL_ENV", "CONDA_*", "IPYTHONDIR", "JUPYTER_*", "PYENV_*"],
    ...["PERL*", "RUBY*", "GEM_*", "BUNDLE_*", "RBENV_*", "PHPRC", "PHP_INI_SCAN_DIR", "COMPOSER_*"],
    ...[
      "LUA_*",
      "R_PROFILE*",
      "R_ENVIRON*",
      "R_LIBS*",
      "R_HOME",
      "R_SHELL",
      "JULIA_*",
      "ERL_*",
      "ELIXIR_*",
      "GUILE_*",
      "TCLLIBPATH",
      "GHC*",
      "OCAMLRUNPARAM",
    ],
    ...[
      "*JAVA_OPTIONS",
      "JAVA_OPTS",
      "JAVA_HOME",
      "JAVA_TOOL_*",
      "JDK_*",
      "MAVEN_*",
      "GRADLE_*",
      "ANT_OPTS",
      "ANT_ARGS",
      "ANT_HOME",
      "SBT_*",
    ],
    ...[
      "CLASSPATH",
      "KOTLIN_*",
      "SCALA_*",
      "CLJ_*",
      "DOTNET_*",
      "COR_*",
      "CORECLR_*",
      "COMPLUS_*",
      "MONO_*",
      "NUGET_*",
    ],
  ],
  "compilers and build tools": [
    ...["MAKEFLAGS", "MFLAGS", "MAKEFILES", "GNUMAKEFLAGS", "CMAKE_*", "NINJA_*", "CC", "CXX", "CPP", "AR", "AS", "LD"],
    ...[
      "GCC_*",
      "COMPILER_PATH",
      "CCC_*",
      "CCACHE_*",
      "DISTCC_*",
      "GOFLAGS",
      "GOPATH",
      "GOROOT",
      "GOENV",
      "GOBIN",
      "GOPROXY",
      "GOTOOLCHAIN",
      "GOCACHEPROG",
      "CGO_*",
      "RUST*",
      "CARGO*",
      "PKG_CONFIG*",
    ],
    ...["ACLOCAL*", "AUTOM4TE", "M4*", "BAZEL*", "TF_CLI_*", "ANSIBLE_*"],
  ],
  "other programs": [
    ...[
      "TAR_OPTIONS",
      "TAPE",
      "GZIP",
      "ZIPOPT",
      "UNZIP",
      "RIPGREP_CONFIG_PATH",
      "FZF_*",
      "WGETRC",
      "CURL_HOME",
      "RSYNC_*",
    ],
    ...["OPENSSL_*", "GNUPGHOME", "GPG_AGENT_INFO", "SCREENRC", "SYSSCREENRC", "TMUX*", "PSQLRC", "MYSQL_*"],
    ...["HGRCPATH", "HGEDITOR", "HGPLAIN", "GDBHISTFILE", "DEBUGINFOD_*", "GTK_*", "GIO_*", "GST_*", "QT_*", "QML*"],
    ...[
      "ASAN_OPTIONS",
      "KUBECONFIG",
      "KUBECTL_*",
      "DOCKER_CONFIG",
      "VAGRANT_*",
      "HELM_*",
      "JJ_*",
      "GH_CONFIG_DIR",
      "DIRENV_*",
    ],
    ...["AWS_CONFIG_FILE", "AWS_SHARED_CREDENTIALS_FILE", "GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES"],
  ],
} as const satisfies Record<string, readonly string[]>;

/** Members of the families above that only set a value: no program runs or loads anything because of them. */
const HARMLESS = [
  ...["GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_AUTHOR_DATE", "GIT_TERMINAL_PROMPT", "GIT_OPTIONAL_LOCKS"],
  ...["GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL", "GIT_COMMITTER_DATE"],
  ...["NODE_ENV", "NODE_EXTRA_CA_CERTS", "NODE_NO_WARNINGS", "NODE_USE_ENV_PROXY", "NODE_DISABLE_COLORS"],
  ...["PYTHONUNBUFFERED", "PYTHONDONTWRITEBYTECODE", "PYTHONIOENCODING", "PYTHONUTF8", "PYTHONHASHSEED"],
  ...["RUST_LOG", "RUST_BACKTRACE", "CARGO_TERM_COLOR", "LESSCHARSET", "DOTNET_CLI_TELEMETRY_OPTOUT"],
] as const;

const loaders = Object.values(LOADERS).flat().map(toPattern);
const harmless = new Set<string>(HARMLESS);

function toPattern(text: string): RegExp {
  return new RegExp(`^${text.replaceAll("*", ".*")}$`, "i");
}

/** Whether the variable can make another program run code. */
export function isLoaderVariable(name: string): boolean {
  return !harmless.has(name) && loaders.some((pattern) => pattern.test(name));
}

/** The name of a variable of a process that Gantry starts. */
export const VariableName = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]{0,127}$/, "must be the name of an environment variable")
  .refine((name) => !/^gantry_/i.test(name), "is reserved for Gantry");

/**
 * Variables that a request sets for a session. A caller of the API may be a script that passes on values of others, so
 * variables that run code need a profile, which is a file of the user's.
 */
export const RequestVariables = z.record(
  VariableName.refine((name) => !isLoaderVariable(name), {
    error: "makes other programs run code, so a request may not set it. Set it in a profile: `env` in agents/<id>.yml",
  }),
  z.string().max(32_768),
);
