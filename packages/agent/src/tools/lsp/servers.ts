/** How a language server is started, for which files, and in which projects. */
export type ServerConfig = {
  command: string;
  args?: string[];
  fileTypes: string[];
  rootMarkers: string[];
  initOptions?: Record<string, unknown>;
  settings?: Record<string, unknown>;
  disabled?: boolean;
  /** Only reports problems; has no types and positions. */
  isLinter?: boolean;
  warmupTimeoutMs?: number;
  capabilities?: Record<string, boolean>;
};

const WEB = "package.json tsconfig.json jsconfig.json";
const PYTHON = "pyproject.toml setup.py setup.cfg requirements.txt Pipfile";
const SCRIPT = ".ts .tsx .js .jsx .mjs .cjs .mts .cts";

/** Name, command with its arguments, file types, root markers, `linter` if it is one. */
const ROWS: [name: string, command: string, fileTypes: string, rootMarkers: string, linter?: "linter"][] = [
  ["rust-analyzer", "rust-analyzer", ".rs", "Cargo.toml rust-project.json"],
  ["clangd", "clangd --background-index", ".c .h .cc .cpp .cxx .hpp .hh .m .mm", "compile_commands.json compile_flags.txt .clangd CMakeLists.txt Makefile"],
  ["zls", "zls", ".zig .zon", "build.zig zls.json"],
  ["gopls", "gopls", ".go", "go.mod go.work"],
  ["typescript-language-server", "typescript-language-server --stdio", SCRIPT, WEB],
  ["denols", "deno lsp", ".ts .tsx .js .jsx .mjs", "deno.json deno.jsonc"],
  ["biome", "biome lsp-proxy", `${SCRIPT} .json .jsonc .css`, "biome.json biome.jsonc", "linter"],
  ["eslint", "vscode-eslint-language-server --stdio", `${SCRIPT} .vue .svelte`, "eslint.config.js eslint.config.mjs eslint.config.cjs eslint.config.ts .eslintrc .eslintrc.js .eslintrc.cjs .eslintrc.json .eslintrc.yml", "linter"],
  ["vscode-html-language-server", "vscode-html-language-server --stdio", ".html .htm", "package.json index.html .git"],
  ["vscode-css-language-server", "vscode-css-language-server --stdio", ".css .scss .less", "package.json .git"],
  ["vscode-json-language-server", "vscode-json-language-server --stdio", ".json .jsonc", "package.json .git"],
  ["tailwindcss", "tailwindcss-language-server --stdio", ".html .css .tsx .jsx .ts .js .vue .svelte .astro", "tailwind.config.js tailwind.config.ts tailwind.config.mjs tailwind.config.cjs"],
  ["svelte", "svelteserver --stdio", ".svelte", "svelte.config.js svelte.config.ts package.json"],
  ["vue-language-server", "vue-language-server --stdio", ".vue", "vue.config.js vite.config.ts vite.config.js nuxt.config.ts package.json"],
  ["astro", "astro-ls --stdio", ".astro", "astro.config.mjs astro.config.ts astro.config.js"],
  ["pyright", "pyright-langserver --stdio", ".py .pyi", `pyrightconfig.json ${PYTHON}`],
  ["basedpyright", "basedpyright-langserver --stdio", ".py .pyi", `pyrightconfig.json ${PYTHON}`],
  ["pylsp", "pylsp", ".py", PYTHON],
  ["ruff", "ruff server", ".py .pyi", `ruff.toml .ruff.toml ${PYTHON}`, "linter"],
  ["jdtls", "jdtls", ".java", "pom.xml build.gradle build.gradle.kts settings.gradle .project"],
  ["kotlin-lsp", "kotlin-lsp --stdio", ".kt .kts", "build.gradle build.gradle.kts settings.gradle.kts pom.xml"],
  ["metals", "metals", ".scala .sbt .sc", "build.sbt build.sc build.mill .scala-build"],
  ["hls", "haskell-language-server-wrapper --lsp", ".hs .lhs", "*.cabal stack.yaml cabal.project hie.yaml package.yaml"],
  ["ocamllsp", "ocamllsp", ".ml .mli .mll .mly", "dune-project dune-workspace *.opam .merlin"],
  ["elixirls", "elixir-ls", ".ex .exs .heex .eex", "mix.exs mix.lock"],
  ["erlangls", "erlang_ls", ".erl .hrl", "rebar.config erlang.mk erlang_ls.config"],
  ["gleam", "gleam lsp", ".gleam", "gleam.toml"],
  ["solargraph", "solargraph stdio", ".rb .rake .gemspec", "Gemfile .solargraph.yml Rakefile"],
  ["ruby-lsp", "ruby-lsp", ".rb .rake .gemspec .erb", "Gemfile .ruby-version"],
  ["rubocop", "rubocop --lsp", ".rb .rake", ".rubocop.yml Gemfile", "linter"],
  ["bashls", "bash-language-server start", ".sh .bash .zsh", ".git"],
  ["lua-language-server", "lua-language-server", ".lua", ".luarc.json .luarc.jsonc .luacheckrc .stylua.toml stylua.toml .git"],
  ["intelephense", "intelephense --stdio", ".php .phtml", "composer.json composer.lock .git"],
  ["phpactor", "phpactor language-server", ".php", "composer.json .phpactor.json .phpactor.yml"],
  ["omnisharp", "omnisharp -z --hostPID 0 --languageserver", ".cs .csx", "*.sln *.csproj omnisharp.json"],
  ["yamlls", "yaml-language-server --stdio", ".yaml .yml", ".git"],
  ["terraformls", "terraform-ls serve", ".tf .tfvars", ".terraform terraform.tfstate *.tf"],
  ["dockerls", "docker-langserver --stdio", ".dockerfile Dockerfile", "Dockerfile docker-compose.yml docker-compose.yaml"],
  ["helm-ls", "helm_ls serve", ".yaml .yml .tpl", "Chart.yaml"],
  ["nixd", "nixd", ".nix", "flake.nix default.nix shell.nix"],
  ["nil", "nil", ".nix", "flake.nix default.nix shell.nix"],
  ["ols", "ols", ".odin", "ols.json .git"],
  ["dartls", "dart language-server --protocol=lsp", ".dart", "pubspec.yaml"],
  ["marksman", "marksman server", ".md .markdown", ".marksman.toml .git"],
  ["texlab", "texlab", ".tex .bib .sty .cls", ".latexmkrc latexmkrc .texlabroot texlabroot .git"],
  ["graphql", "graphql-lsp server -m stream", ".graphql .gql", ".graphqlrc .graphqlrc.json .graphqlrc.yml .graphqlrc.yaml graphql.config.js graphql.config.ts"],
  ["prismals", "prisma-language-server --stdio", ".prisma", "schema.prisma prisma/schema.prisma"],
  ["vimls", "vim-language-server --stdio", ".vim .vimrc", ".vimrc .git"],
  ["emmet-language-server", "emmet-language-server --stdio", ".html .css .scss .less .jsx .tsx .vue .svelte", "package.json .git"],
  ["sourcekit-lsp", "sourcekit-lsp", ".swift", "Package.swift *.xcodeproj *.xcworkspace"],
  ["swiftlint", "swiftlint lint --use-stdin --quiet", ".swift", ".swiftlint.yml Package.swift", "linter"],
  ["tlaplus", "tlapm_lsp --stdio", ".tla", "*.tla"],
]; // biome-ignore format: one server a line

/** Further settings of servers that need more than their row. */
const MORE: Record<string, Partial<ServerConfig>> = {
  "rust-analyzer": {
    capabilities: { flycheck: true, ssr: true, expandMacro: true, runnables: true, relatedTests: true },
  },
  gopls: { settings: { gopls: { gofumpt: true, staticcheck: true } } },
  denols: { initOptions: { enable: true, lint: true } },
  eslint: {
    settings: {
      validate: "on",
      run: "onType",
      nodePath: "",
      workingDirectory: { mode: "location" },
      problems: {},
      rulesCustomizations: [],
    },
  },
};

export const BUILT_IN: Readonly<Record<string, ServerConfig>> = Object.fromEntries(
  ROWS.map(([name, line, fileTypes, rootMarkers, linter]) => {
    const [command = "", ...args] = line.split(" ");
    const row: ServerConfig = { command, args, fileTypes: fileTypes.split(" "), rootMarkers: rootMarkers.split(" ") };
    return [name, { ...row, ...(linter && { isLinter: true }), ...MORE[name] }];
  }),
);

/**
 * The built-in servers that only read a project. Every other server may load or run a part of it: through plugins, build
 * scripts, configuration that is code, or a compiler and interpreter that it takes from the project.
 */
export const READS_ONLY: ReadonlySet<string> = new Set([
  "gopls",
  "biome",
  "ruff",
  "vscode-html-language-server",
  "vscode-css-language-server",
  "vscode-json-language-server",
  "bashls",
  "yamlls",
  "dockerls",
  "marksman",
  "intelephense",
  "emmet-language-server",
]);
