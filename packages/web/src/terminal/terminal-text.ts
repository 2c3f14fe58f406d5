import type { Terminal, TerminalExit } from "@gantry/protocol";

/** How a program ended, as text. */
export function exitText({ code, signal }: TerminalExit): string {
  if (signal) return `The program was ended by ${signal}.`;
  return code === 0 || code === null ? "The program has ended." : `The program ended with code ${code}.`;
}

/** Tab names: the program of each terminal, numbered if there are duplicates. */
export function tabNames(list: readonly Pick<Terminal, "command" | "offer">[]): string[] {
  const seen = new Map<string, number>();
  return list.map((terminal) => {
    const name = terminal.offer?.title ?? programOf(terminal.command);
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return count === 1 ? name : `${name} ${count}`;
  });
}

function programOf([program = ""]: readonly string[]): string {
  return program.split("/").at(-1) ?? program;
}
