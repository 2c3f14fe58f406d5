import type { CodeSplittingOptions } from "rolldown";

/**
 * One chunk for everything that a start loads, because each chunk costs half a millisecond: its path is resolved, the file
 * and its compiled code are read and compared. The bundler alone makes one for every combination of entries that share a
 * module, which was 26 for the daemon. A group takes the modules that match and all their dependencies that no earlier group
 * has. Code that two of the starts share belongs to the first group.
 */
export const startChunks: CodeSplittingOptions = {
  groups: groupsOf({
    cli: [
      "packages/cli/src/cli.ts",
      "packages/cli/src/commands/parameters.ts",
      "packages/cli/src/daemon/malloc-settings.ts",
      "packages/protocol/src/errors/gantry-error.ts",
      "packages/protocol/src/api/calls.gen.ts",
      "packages/protocol/src/view/activity.ts",
      "packages/protocol/src/view/tasks.ts",
      "packages/terminal/src/text/figures.ts",
      "packages/models/src/stream-redaction.ts",
      "node_modules/eventsource-parser/dist/parse.js",
    ],
    daemon: [
      "packages/cli/src/commands/daemon/commands.ts",
      "packages/cli/src/commands/daemon/serve.ts",
      "packages/runtime/src/daemon.ts",
    ],
    client: ["packages/cli/src/daemon/connect.ts", "packages/cli/src/commands/sessions/ls.ts"],
    // What the agent and the rest of the daemon share. The daemon must never load the chunk of the agent.
    shared: [
      "node_modules/zod/v4/classic/iso.js",
      "node_modules/zod/v4/classic/coerce.js",
      "packages/trust/src/store.ts",
      "packages/trust/src/digest.ts",
      "packages/trust/src/repository-config.ts",
      "packages/models/src/backoff.ts",
      "packages/models/src/catalogue/catalogue.ts",
      "packages/models/src/credential-paths.ts",
      "packages/models/src/credentials/redaction.ts",
      "packages/models/src/replace-file.ts",
    ],
    yaml: ["node_modules/yaml/dist/index.js"],
    models: ["packages/models/src/index.ts"],
    project: ["packages/agent/src/start/project/project-code.ts"],
    agent: [
      "packages/cli/src/commands/own-agent/commands.ts",
      "packages/cli/src/commands/own-agent/agent.ts",
      "packages/agent/src/modes/rpc.ts",
    ],
  }),
};

function groupsOf(starts: Record<string, string[]>): CodeSplittingOptions["groups"] {
  return Object.entries(starts).map(([name, modules], index) => ({
    name,
    test: (id: string) => modules.some((path) => id.endsWith(`/${path}`)),
    priority: 10 - index,
  }));
}
