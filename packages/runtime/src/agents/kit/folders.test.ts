import { expect, test } from "vitest";
import type { LaunchOptions } from "../contract.ts";
import { builtInAgents } from "../registry.ts";

/**
 * How each channel gets the session's further folders: `passed` natively, `named` in the first prompt by agents without a
 * boundary between folders, or not at all.
 */
const expected: Record<string, string> = {
  "claude stream-json": "passed",
  "codex app-server": "passed",
  "codex exec": "passed",
  "gemini acp": "passed",
  "gemini stream-json": "passed",
  "opencode acp": "passed",
  "opencode run": "passed",
  "qwen acp": "passed",
  "qwen stream-json": "passed",
  "copilot acp": "passed",
  "copilot json": "passed",
  "auggie acp": "passed",
  "kilo acp": "passed",
  "pi rpc": "passed",
  "omp rpc": "passed",
  "gantry rpc": "passed",
};

const FOLDER = "/srv/library";

function launchText(mode: LaunchOptions["mode"], folders: string[]): Record<string, string> {
  const options = { cwd: "/work/project", mode, uuid: "0123456789abcdef", dir: "/tmp/x", folders };
  return Object.fromEntries(
    builtInAgents.flatMap((agent) =>
      agent.channels.map((channel) => {
        const launch = JSON.stringify(channel.launch(options));
        return [`${agent.id} ${channel.name}`, `${launch} ${JSON.stringify(channel.initial(options))}`];
      }),
    ),
  );
}

test.each(["ask", "auto-edit"] as const)("passes the folders to every agent with a boundary in %s", (mode) => {
  const texts = launchText(mode, [FOLDER]);
  for (const name of Object.keys(expected)) expect.soft(texts[name], name).toContain(FOLDER);
  const without = launchText(mode, []);
  for (const text of Object.values(without)) expect(text).not.toContain(FOLDER);
});

test("every agent takes folders, names them in the prompt, or states why it cannot", () => {
  const silent = builtInAgents.filter(
    ({ channels, withoutFolders }) => !channels[0]?.takes?.folders && withoutFolders === undefined,
  );
  expect(silent.map(({ id }) => id)).toEqual([]);
});
