import { existsSync, readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { type Document, isMap, isScalar, type Pair, parseDocument, stringify } from "yaml";
import { checkModels } from "../config/models-file.ts";
import type { ProviderConfig } from "../config/schema.ts";
import type { ConfigProblem } from "../registry-port.ts";
import { replaceFile } from "../replace-file.ts";

/** `changed`: false if the file was already as requested. */
export type ProviderEdit = { ok: true; changed: boolean } | { ok: false; message: string; problem?: ConfigProblem };

/**
 * Adds a provider to models.yml and keeps comments and all other content. Does not replace an existing entry, and does
 * not write an entry or a file that has a mistake.
 */
export function insertProvider(file: string, provider: string, config: ProviderConfig): ProviderEdit {
  return edit(file, (text, document) => {
    if (document.hasIn(["providers", provider])) return { text };
    const after = insert(text, document, provider, config);
    const problem = checkModels(file, after).problems.find(({ path }) => path.startsWith(`providers.${provider}`));
    return problem ? { text, problem } : { text: after };
  });
}

/** Removes a provider from models.yml. Comments inside its entry go with it; all other content stays. */
export function deleteProvider(file: string, provider: string): ProviderEdit {
  return edit(file, (text, document) => {
    const providers = document.get("providers");
    const pair = isMap(providers)
      ? providers.items.find(({ key }) => isScalar(key) && key.value === provider)
      : undefined;
    if (!isMap(providers) || !pair) return { text };
    const cut = providers.flow ? undefined : cutLines(text, pair as Pair<{ range?: number[] }, { range?: number[] }>);
    document.deleteIn(["providers", provider]);
    const isExact = cut !== undefined && hasSameContent(parseDocument(cut), document);
    return { text: isExact ? cut : document.toString({ lineWidth: 0 }) };
  });
}

type Edited = { text: string; problem?: ConfigProblem };

function edit(file: string, change: (text: string, document: Document) => Edited): ProviderEdit {
  const before = existsSync(file) ? readFileSync(file, "utf8") : "";
  const document = parseDocument(before);
  const [syntax] = document.errors.length > 0 ? checkModels(file, before).problems : [];
  const providers = document.get("providers");
  if (syntax || (document.contents !== null && !isMap(document.contents)) || (providers && !isMap(providers))) {
    const message = `${file} has a mistake. Correct it first; nothing was changed.`;
    return { ok: false, message, ...(syntax ? { problem: syntax } : {}) };
  }
  const { text, problem } = change(before, document);
  if (problem) return { ok: false, message: `The provider was not added: ${problem.message}` };
  if (text !== before) replaceFile(file, text);
  return { ok: true, changed: text !== before };
}

/** An empty section counts like one that has become empty. */
function hasSameContent(a: Document, b: Document): boolean {
  const contentOf = (document: Document) => {
    const root = (document.toJS() ?? {}) as Record<string, unknown>;
    return { ...root, providers: root.providers ?? {} };
  };
  return a.errors.length === 0 && isDeepStrictEqual(contentOf(a), contentOf(b));
}

/** The text without the lines of an entry. */
function cutLines(text: string, { key, value }: Pair<{ range?: number[] }, { range?: number[] }>): string | undefined {
  const begin = key.range?.[0];
  const end = value?.range?.[1] ?? key.range?.[1];
  if (begin === undefined || end === undefined) return undefined;
  const from = text.lastIndexOf("\n", begin - 1) + 1;
  const isAtLineStart = end > 0 && text[end - 1] === "\n";
  const next = text.indexOf("\n", end);
  return text.slice(0, from) + (isAtLineStart ? text.slice(end) : next < 0 ? "" : text.slice(next + 1));
}

/**
 * The text with the provider in it. Put between the lines as they stand, for the printer moves comments; only where
 * providers are written in braces the printer does it.
 */
function insert(text: string, document: Document, provider: string, config: ProviderConfig): string {
  const providers = document.get("providers");
  const entry = stringify({ [provider]: config }, { lineWidth: 0 });
  if (!providers && !document.has("providers")) {
    const gap = text === "" || text.endsWith("\n") ? "" : "\n";
    return `${text}${gap}providers:\n${indent(entry, 2)}`;
  }
  const [first] = isMap(providers) ? providers.items : [];
  if (!isMap(providers) || providers.flow || !providers.range || !isScalar(first?.key) || !first.key.range) {
    if (isMap(providers)) providers.set(provider, document.createNode(config));
    else document.set("providers", document.createNode({ [provider]: config }));
    return document.toString({ lineWidth: 0 });
  }
  const column = first.key.range[0] - (text.lastIndexOf("\n", first.key.range[0] - 1) + 1);
  const end = providers.range[1];
  const head = text.slice(0, end).replace(/\n*$/, "\n");
  return `${head}${indent(entry, column)}${text.slice(end).replace(/^\n/, "")}`;
}

function indent(text: string, by: number): string {
  return text.replace(/^(?=.)/gm, " ".repeat(by));
}
