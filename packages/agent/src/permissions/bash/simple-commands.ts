import { literalWord, type Simple, type Word } from "./shell-lexer.ts";

export const LOOPS: ReadonlySet<string> = new Set(["for", "while", "until", "select"]);
export const FOLDER_CHANGES: ReadonlySet<string> = new Set(["cd", "pushd", "popd"]);

/** The substitutions in a command, which the shell runs before it. */
export function scriptsOf(simple: Simple): string[] {
  const tokens = [...simple.argv, ...simple.redirects.map(({ target }) => target)];
  return [...tokens.flatMap(({ scripts }) => scripts), ...simple.heredocScripts];
}

/** A loop may change the folder again and again. */
export function changesFolderInLoop(commands: readonly Simple[]): boolean {
  const loops = commands.some(({ argv }) => argv.some(({ text, quoted }) => !quoted && LOOPS.has(text)));
  return loops && commands.some(({ argv }) => argv.some(({ text }) => FOLDER_CHANGES.has(text)));
}

export function textOf(pipe: readonly Simple[]): string {
  return pipe.map(({ argv }) => ` ${argv.map(({ text }) => text).join(" ")}`).join("");
}

/** The text that `xargs -I` replaces. */
export function replacedText(options: readonly Word[]): string | undefined {
  const at = options.findIndex(({ text }) => /^-\w*I/.test(text));
  if (at < 0) return undefined;
  return /^-\w*?I(.+)$/.exec(options[at]!.text)?.[1] ?? options[at + 1]?.text;
}

/** The word with the marker replaced by an added word. */
export function insertWord(word: Word, marker: string, added: Word): Word {
  if (word.text === marker) return added;
  if (!word.text.includes(marker)) return word;
  return { ...literalWord(word.text.replaceAll(marker, added.text)), dynamic: true, bare: 0 };
}

/** The commands that `-exec` and the like run, in a call that is not understood in full. */
export function commandsIn(tokens: readonly Word[], runs: RegExp): { from: number; to: number; inFolder: boolean }[] {
  return tokens.flatMap(({ text }, at) => {
    if (!runs.test(text)) return [];
    const end = tokens.findIndex((word, index) => index > at && (word.text === ";" || word.text === "+"));
    return [{ from: at + 1, to: end < 0 ? tokens.length : end, inFolder: true }];
  });
}
