/** Names in lower case that programs read. */
const LOWER_RISKY = /^(npm_.*|pnpm_.*|yarn_.*|pip_.*|.*_proxy|histchars|auto_resume)$/i;

const PLAIN = new Set(
  `FOO BAR BAZ FILE FILES DIR DIRS F D N I J K X Y Z A B C E T V COUNT NAME NAMES PATTERN ROOT SRC DEST BASE BRANCH COMMIT VERSION LINE
  LINES_OUT OUT INPUT RESULT KEY VALUE ITEM TARGET REPO PKG PACKAGE PROJECT SEARCH QUERY URL DATE START END TOTAL LIMIT MSG
  MESSAGE REV SHA HASH TAG EXT SUFFIX PREFIX NUM INDEX WORD TEXT LIST ARG ARGS REPLY IFS_OLD TITLE USERNAME PORT HOST_NAME`.split(
    /\s+/,
  ),
);

/** Names that programs read, and that only change what they print. */
const DISPLAY =
  /^(LC_\w+|LANG|TZ|COLUMNS|LINES|NO_COLOR|FORCE_COLOR|CLICOLOR|CLICOLOR_FORCE|COLORTERM|CI|BLOCK_SIZE|TIME_STYLE|QUOTING_STYLE|TREE_COLORS|JQ_COLORS)$/;

/**
 * Whether a variable of this name can be set before a program that reads. An allow list: names that are common in scripts
 * and unknown to programs, and names that only change the display.
 */
export function isHarmlessVariable(name: string): boolean {
  if (/^[a-z_][a-z0-9_]*$/.test(name)) return !LOWER_RISKY.test(name) && !name.startsWith("__gantry");
  return PLAIN.has(name.replace(/_?\d+$/, "")) || DISPLAY.test(name);
}
