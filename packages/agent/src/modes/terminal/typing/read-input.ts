import { existsSync } from "node:fs";
import type { Picker } from "@gantry/terminal";

/** What the user submitted: a shell command, a slash command, or a message. */
export type Input =
  | { kind: "shell"; command: string; excluded: boolean }
  | { kind: "command"; name: string; rest: string }
  | { kind: "message"; text: string };

/** A text that begins with a path is a message, unless its first word is the name of a command. */
export function readInput(
  text: string,
  commands: readonly string[],
  isPath: (path: string) => boolean = existsSync,
): Input {
  const [, marks, command] = /^(!!?)\s*([\s\S]+)$/.exec(text) ?? [];
  if (command !== undefined) return { kind: "shell", command, excluded: marks === "!!" };
  const [, dollars, code] = /^(\$\$?)\s+([\s\S]+)$/.exec(text) ?? [];
  if (code !== undefined) return { kind: "shell", command: pythonCommand(code), excluded: dollars === "$$" };
  const [, name, rest = ""] = /^\/([a-z][\w:.-]*)(?:\s+([\s\S]*))?$/i.exec(text) ?? [];
  const isCommand = name !== undefined && (commands.includes(name) || (/^[a-z]+$/.test(name) && !isPath(`/${name}`)));
  if (!isCommand) return { kind: "message", text };
  return { kind: "command", name, rest: rest.trim() };
}

/** The command that runs Python code. It passes the same permissions as any other command that the user types. */
function pythonCommand(code: string): string {
  return `python3 -c '${code.replaceAll("'", "'\\''")}'`;
}

/** Applies a key to an open menu. Returns how the key ends the menu, if it does. */
export function pressMenuKey(picker: Picker, chord: string): "closed" | "chosen" | undefined {
  if (chord === "up" || chord === "ctrl+p") picker.move(-1);
  else if (chord === "down" || chord === "ctrl+n" || chord === "ctrl+r") picker.move(1);
  else if (chord === "pageup") picker.move(-8);
  else if (chord === "pagedown") picker.move(8);
  else if (chord === "backspace") picker.erase();
  else if (chord === "ctrl+u") picker.erase(true);
  else if (chord === "esc" || chord === "ctrl+c") return "closed";
  else if (chord === "enter") return "chosen";
  return undefined;
}

/** Copies to the clipboard of the terminal (OSC 52), which works over ssh, too. */
export function copyToClipboard(text: string): void {
  if (text !== "") process.stdout.write(`\x1b]52;c;${Buffer.from(text).toString("base64")}\x07`);
}
