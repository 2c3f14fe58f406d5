import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { LANGUAGES } from "./languages.ts";

const SYSTEMS: Partial<Record<NodeJS.Platform, string>> = { linux: "Linux", darwin: "macOS", win32: "Windows" };

type Registration = { libraryPath: string; extensions: string[]; languageSymbol: string; expandoChar: string };

let loading: Promise<Map<string, string>> | undefined;

/**
 * Loads the separate parsers, once per process: the library accepts one registration only. Returns the languages that
 * cannot be used, each with the reason and a remedy. Never rejects.
 */
export function loadParsers(find: (language: string) => string | undefined = findParser): Promise<Map<string, string>> {
  loading ??= registerParsers(find);
  return loading;
}

async function registerParsers(find: (language: string) => string | undefined): Promise<Map<string, string>> {
  const problems = new Map<string, string>();
  const registrations: Record<string, Registration> = {};
  for (const [language, { name, endings, symbol, expando = "$" }] of Object.entries(LANGUAGES)) {
    if (!symbol) continue;
    const libraryPath = find(language);
    const extensions = [...endings];
    if (libraryPath === undefined) problems.set(language, describeMissing(language, name));
    else registrations[language] = { libraryPath, extensions, languageSymbol: symbol, expandoChar: expando };
  }
  try {
    const { registerDynamicLanguage } = await import("@ast-grep/napi");
    registerDynamicLanguage(registrations);
  } catch (error) {
    for (const language of Object.keys(registrations))
      problems.set(language, `the parser cannot be loaded on this machine: ${(error as Error).message}`);
  }
  return problems;
}

function describeMissing(language: string, name: string): string {
  const machine = `${process.platform} ${process.arch}`;
  return `there is no parser for ${name} on this machine (${machine}). Use grep instead, or install @ast-grep/lang-${language} next to Gantry`;
}

/** The shared library of a language: in `parsers/` of an installed package, in the packages of a clone otherwise. */
export function findParser(language: string): string | undefined {
  const packed = join(import.meta.dirname, "parsers", `${language}-${process.platform}-${process.arch}.so`);
  if (existsSync(packed)) return packed;
  try {
    const manifest = createRequire(import.meta.url).resolve(`@ast-grep/lang-${language}/package.json`);
    const prebuilt = `prebuild-${SYSTEMS[process.platform]}-${process.arch.toUpperCase()}`;
    const file = join(dirname(manifest), "prebuilds", prebuilt, "parser.so");
    return existsSync(file) ? file : undefined;
  } catch {
    return undefined;
  }
}
