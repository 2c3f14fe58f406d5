import { COMMANDS_ON_FILES } from "./commands-on-files.ts";
import { COMMANDS_ON_PROJECTS } from "./commands-on-projects.ts";

/** Commands that developers and models use to look at a project. All of them must count as reading. `¶` is a line break. */
export const READING_COMMANDS: readonly string[] = `${COMMANDS_ON_FILES}\n${COMMANDS_ON_PROJECTS}`
  .split("\n")
  .map((line) => line.replaceAll("¶", "\n"))
  .filter((line) => line.trim() !== "");
