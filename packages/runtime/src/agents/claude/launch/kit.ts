import type { LaunchOptions } from "../../contract.ts";
import { instructionsFile, type LaunchPart, serversFile, skillsFolder } from "../../kit/launch-parts.ts";

const PLUGIN = "plugin";
const MANIFEST = { name: "gantry", description: "Skills that Gantry offers to all agents.", version: "1.0.0" };

/** The kit for Claude Code: servers and instructions as files, skills as a plugin for this process. */
export function kitParts({ kit, dir }: LaunchOptions): (LaunchPart | undefined)[] {
  return [
    serversFile(kit, dir, (path) => ({ args: ["--mcp-config", path] })),
    skillsFolder(
      kit,
      dir,
      (path) => ({
        args: ["--plugin-dir", path.slice(0, -"/skills".length)],
        files: { [`${PLUGIN}/.claude-plugin/plugin.json`]: JSON.stringify(MANIFEST) },
      }),
      `${PLUGIN}/skills`,
    ),
    instructionsFile(kit, dir, (path) => ({ args: ["--append-system-prompt-file", path] })),
  ];
}
