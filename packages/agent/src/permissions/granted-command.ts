import { INTERPRETERS, SHELLS, WRAPPERS } from "./bash/programs.ts";

/** A plain operand: no option, variable, assignment, pattern, remote address or list of arguments. */
const PLAIN_OPERAND = /^[A-Za-z0-9_./][\w./,-]*$/;
/** A command without quotes, expansions, redirections or operators. */
const PLAIN_COMMAND = /^[\w./:@%+,=-]+( [\w./:@%+,=-]+)+$/;
/** Programs whose operands are commands or scripts. */
const RUNNERS = new Set(
  `xargs parallel find fd fdfind npx bunx uvx pipx ssh docker podman kubectl make gmake just task rake eval source . exec trap ant
  tclsh expect screen tmux script at batch systemd-run git-shell`.split(/\s+/),
);
/** Subcommands whose first operand is a command or a script. */
const RUNNING = /^(run|run-script|exec|x|dlx|explore|tool|generate|foreach|bisect|rebase|filter-branch|eval|-\S*)$/;
const SCRIPT_RUNNERS = new Set(["npm", "pnpm", "yarn", "bun"]);

/**
 * Whether a grant for a command covers another one: the same text, or the same text with further plain operands. A new
 * option is never covered, because it may change everything that the command does. Neither is an operand of a program
 * that would run it.
 */
export function coversCommand(granted: string, command: string): boolean {
  if (command === granted) return true;
  if (!command.startsWith(`${granted} `) || !PLAIN_COMMAND.test(granted) || !takesOperands(granted.split(" ")))
    return false;
  return command
    .slice(granted.length + 1)
    .split(" ")
    .every((operand) => PLAIN_OPERAND.test(operand));
}

function takesOperands([program = "", first = "", ...rest]: readonly string[]): boolean {
  const name = program.replace(/^.*\//, "");
  // After an option the operand could be its value.
  if ((rest.at(-1) ?? first).startsWith("-") || /=/.test(program)) return false;
  if (RUNNERS.has(name) || WRAPPERS.has(name) || SHELLS.has(name) || INTERPRETERS.test(name)) return false;
  if (!RUNNING.test(first)) return true;
  // `npm run build` names the script; what follows are the script's arguments.
  return SCRIPT_RUNNERS.has(name) && /^run(-script)?$/.test(first) && rest.length > 0 && !rest[0]!.startsWith("-");
}
