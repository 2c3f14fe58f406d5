/** What a Markdown command can reach. `run` and `read` apply the permission mode; they never reject. */
export type ExpandParts = {
  /** The output of a command, or why it was not run. */
  run(command: string): Promise<string>;
  /** The content of a file; `undefined` leaves the text unchanged. */
  read(path: string): Promise<string | undefined>;
};

/**
 * The text that a Markdown command sends: `$ARGUMENTS` and `$1` to `$9` are replaced, then commands in !`…` run, then the
 * files after `@` are added. Arguments are replaced only outside of commands: a text that the user typed must not become
 * part of a shell command.
 */
export async function expandCommand(body: string, args: string, parts: ExpandParts): Promise<string> {
  const pieces: string[] = [];
  for (const piece of body.split(/(!`[^`\n]+`)/)) {
    const [, command] = /^!`([^`\n]+)`$/.exec(piece) ?? [];
    pieces.push(command === undefined ? fillArguments(piece, args) : await parts.run(command));
  }
  const usesArguments = /\$(?:ARGUMENTS|[1-9])/.test(body);
  const text = pieces.join("");
  const whole = usesArguments || args === "" ? text : `${text}\n\n${args}`;
  return `${await attachedFiles(body, args, parts)}${whole}`;
}

function fillArguments(text: string, args: string): string {
  const parts = splitArguments(args);
  return text.replace(/\$(ARGUMENTS|[1-9])/g, (_all, name: string) =>
    name === "ARGUMENTS" ? args : (parts[Number(name) - 1] ?? ""),
  );
}

/** The parts between spaces; quotes join them. */
export function splitArguments(text: string): string[] {
  return [...text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? "",
  );
}

async function attachedFiles(body: string, args: string, { read }: ExpandParts): Promise<string> {
  const named = [...fillArguments(body, args).matchAll(/(?:^|\s)@([\w./~-]+)/g)].map(([, path = ""]) => path);
  const files = await Promise.all(
    [...new Set(named)].map(async (path) => {
      const content = await read(path);
      return content === undefined ? "" : `<file name="${path}">\n${content}\n</file>\n\n`;
    }),
  );
  return files.join("");
}
