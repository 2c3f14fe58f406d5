import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isLoaderVariable, RequestVariables, VariableName } from "./variables.ts";

/** One that each program is known to read, from its manual. */
const KNOWN = [
  ...["LD_PRELOAD", "LD_LIBRARY_PATH", "LD_AUDIT", "DYLD_INSERT_LIBRARIES", "GCONV_PATH", "LOCPATH"],
  ...["BASH_ENV", "ENV", "BASH_FUNC_ls", "PROMPT_COMMAND", "SHELLOPTS", "PS4", "ZDOTDIR", "INPUTRC"],
  ...["GIT_SSH_COMMAND", "GIT_SSH", "GIT_EXTERNAL_DIFF", "GIT_PAGER", "GIT_EDITOR", "GIT_ASKPASS", "GIT_PROXY_COMMAND"],
  ...["GIT_CONFIG_COUNT", "GIT_CONFIG_KEY_0", "GIT_CONFIG_GLOBAL", "GIT_EXEC_PATH", "GIT_TEMPLATE_DIR", "GIT_DIR"],
  ...[
    "SSH_ASKPASS",
    "SUDO_ASKPASS",
    "RSYNC_RSH",
    "CVS_RSH",
    "SVN_SSH",
    "EDITOR",
    "VISUAL",
    "KUBE_EDITOR",
    "SUDO_EDITOR",
  ],
  ...["PAGER", "MANPAGER", "SYSTEMD_PAGER", "BAT_PAGER", "LESSOPEN", "LESSCLOSE", "LESS", "LESSKEYIN", "BROWSER"],
  ...["NODE_OPTIONS", "NODE_PATH", "NODE_REPL_EXTERNAL_MODULE", "npm_config_script_shell", "NPM_CONFIG_NODE_OPTIONS"],
  ...[
    "PYTHONSTARTUP",
    "PYTHONPATH",
    "PYTHONHOME",
    "PYTHONBREAKPOINT",
    "PYTHONWARNINGS",
    "PYTHONUSERBASE",
    "PYTHONINSPECT",
  ],
  ...["PERL5OPT", "PERL5LIB", "PERL5DB", "RUBYOPT", "RUBYLIB", "GEM_PATH", "BUNDLE_GEMFILE", "PHPRC", "LUA_INIT"],
  ...["JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS", "CLASSPATH", "MAVEN_OPTS", "GRADLE_OPTS"],
  ...["DOTNET_STARTUP_HOOKS", "CORECLR_PROFILER_PATH", "COR_PROFILER", "R_PROFILE", "JULIA_LOAD_PATH", "ERL_AFLAGS"],
  ...["MAKEFLAGS", "MAKEFILES", "GOFLAGS", "RUSTC_WRAPPER", "CARGO_BUILD_RUSTC_WRAPPER", "CC", "TAR_OPTIONS"],
  ...["RIPGREP_CONFIG_PATH", "WGETRC", "CURL_HOME", "OPENSSL_CONF", "VIMINIT", "EXINIT", "FZF_DEFAULT_COMMAND"],
  ...["KUBECONFIG", "DOCKER_CONFIG", "AWS_CONFIG_FILE", "GTK_MODULES", "QT_PLUGIN_PATH", "TERMINFO"],
];

/** What people set for an agent. */
const USUAL = [
  ...[
    "ANTHROPIC_API_KEY",
    "ANTHROPIC_BASE_URL",
    "OPENAI_API_KEY",
    "GOOGLE_API_KEY",
    "GOOGLE_CLOUD_PROJECT",
    "GEMINI_API_KEY",
  ],
  ...[
    "AWS_REGION",
    "AWS_PROFILE",
    "AWS_ACCESS_KEY_ID",
    "AWS_SESSION_TOKEN",
    "ANT_LING_API_KEY",
    "GOOSE_MODEL",
    "GH_TOKEN",
  ],
  ...[
    "HTTP_PROXY",
    "https_proxy",
    "NO_PROXY",
    "SSL_CERT_FILE",
    "NODE_EXTRA_CA_CERTS",
    "NODE_ENV",
    "LANG",
    "LC_ALL",
    "TZ",
  ],
  ...["CI", "DEBUG", "PORT", "DATABASE_URL", "MY_TOKEN", "PYTHONUNBUFFERED", "GIT_AUTHOR_NAME", "GIT_COMMITTER_EMAIL"],
  ...["CLAUDE_CONFIG_DIR", "CODEX_HOME", "HOME", "PATH", "RUST_LOG", "NO_COLOR", "FORCE_COLOR", "TERM", "ENVIRONMENT"],
];

describe("a variable of a request", () => {
  it.each(KNOWN)("is refused if it runs code: %s", (name) => {
    expect(isLoaderVariable(name)).toBe(true);
    const { error } = RequestVariables.safeParse({ FINE: "1", [name]: "x" });
    expect(JSON.stringify(error?.issues)).toContain(name);
    expect(JSON.stringify(error?.issues)).toContain("agents/<id>.yml");
    // A profile is the user's own file.
    expect(VariableName.safeParse(name).success).toBe(true);
  });

  it.each(USUAL)("is accepted if it only sets a value: %s", (name) => {
    expect(RequestVariables.safeParse({ [name]: "x" }).success).toBe(true);
  });

  it("is refused in every member of a family and in every spelling of its case", () => {
    const families = ["LD_", "DYLD_", "BASH_FUNC_", "GIT_CONFIG_", "npm_config_", "PYTHON", "PERL5", "RUBY", "CARGO_"];
    const rest = fc.stringMatching(/^[A-Za-z0-9_]{1,20}$/);
    fc.assert(
      fc.property(fc.constantFrom(...families), rest, fc.infiniteStream(fc.boolean()), (family, end, upper) => {
        const name = [...`${family}${end}`]
          .map((c) => (upper.next().value ? c.toUpperCase() : c.toLowerCase()))
          .join("");
        fc.pre(!["PYTHONUTF8", "CARGO_TERM_COLOR"].includes(name));
        expect(RequestVariables.safeParse({ [name]: "x" }).success).toBe(false);
      }),
    );
  });

  it("is reserved if it starts with GANTRY_, also in a profile", () => {
    for (const name of ["GANTRY_HOME", "GANTRY_TOKEN", "gantry_home", "Gantry_X"]) {
      expect(VariableName.safeParse(name).success).toBe(false);
      expect(RequestVariables.safeParse({ [name]: "x" }).success).toBe(false);
    }
  });

  it("needs the name of a variable", () => {
    for (const name of ["", "1A", "A-B", "A B", "A=B", "A\n", "é", "A".repeat(129)])
      expect(RequestVariables.safeParse({ [name]: "x" }).success).toBe(false);
  });
});
