import type { Command, Location, Range, WorkspaceEdit } from "vscode-languageserver-types";

/** An action as servers send it: a code action, or a bare command. */
export type CodeAction = {
  title: string;
  kind?: string;
  edit?: WorkspaceEdit;
  command?: string | LspCommand;
  arguments?: unknown[];
};
export type LspCommand = Pick<Command, "command" | "arguments"> & { title?: string };
/** A document symbol or, from older servers, a symbol information. */
export type SymbolNode = {
  name: string;
  kind: number;
  range?: Range;
  selectionRange?: Range;
  location?: Location;
  containerName?: string;
  children?: SymbolNode[];
};

export const SEVERITIES = ["", "error", "warning", "info", "hint"];
export const SYMBOL_KINDS =
  "? file module namespace package class method property field constructor enum interface function variable constant string number boolean array object key null member struct event operator typeparameter".split(
    " ",
  );

/** The capabilities that the client announces. */
export const CLIENT_CAPABILITIES = {
  general: { positionEncodings: ["utf-16"] },
  workspace: {
    applyEdit: true,
    configuration: true,
    workspaceFolders: true,
    workspaceEdit: { documentChanges: true, resourceOperations: ["create", "rename", "delete"] },
    fileOperations: { willRename: true, didRename: true },
    symbol: {},
    executeCommand: {},
  },
  window: { workDoneProgress: true },
  textDocument: {
    synchronization: { didSave: true },
    publishDiagnostics: { versionSupport: true },
    diagnostic: {},
    hover: { contentFormat: ["markdown", "plaintext"] },
    definition: { linkSupport: true },
    typeDefinition: { linkSupport: true },
    implementation: { linkSupport: true },
    references: {},
    documentSymbol: { hierarchicalDocumentSymbolSupport: true },
    rename: { prepareSupport: false },
    codeAction: {
      codeActionLiteralSupport: {
        codeActionKind: { valueSet: ["quickfix", "refactor", "source", "source.organizeImports"] },
      },
      resolveSupport: { properties: ["edit"] },
    },
  },
};

const LANGUAGE_IDS: Record<string, string> = {
  ts: "typescript", mts: "typescript", cts: "typescript", tsx: "typescriptreact", js: "javascript", mjs: "javascript",
  cjs: "javascript", jsx: "javascriptreact", py: "python", pyi: "python", rs: "rust", rb: "ruby", sh: "shellscript",
  bash: "shellscript", md: "markdown", yml: "yaml", hs: "haskell", kt: "kotlin", cs: "csharp", cc: "cpp", cxx: "cpp",
  hpp: "cpp", h: "c", m: "objective-c", ex: "elixir", exs: "elixir", erl: "erlang", ml: "ocaml", tf: "terraform",
}; // biome-ignore format: a table

export function languageId(path: string): string {
  const type = /\.([^./]+)$/.exec(path)?.[1] ?? "plaintext";
  return LANGUAGE_IDS[type] ?? type;
}
