import { buildCommand, buildRouteMap } from "@stricli/core";
import { docs, numberFlag, textFlag, toggle } from "../parameters.ts";

const provider = {
  brief: "Provider id: anthropic, openai …",
  placeholder: "provider",
  parse: String,
} as const;
const one = { kind: "tuple", parameters: [provider] } as const;

const list = buildCommand({
  loader: async () => (await import("./auth.ts")).list,
  parameters: {},
  docs: docs("List keys and logins of Gantry's own agent, including those in the environment", {
    examples: ["gantry auth", "gantry auth list --json"],
  }),
});

const set = buildCommand({
  loader: async () => (await import("./auth.ts")).set,
  parameters: { positional: one },
  docs: docs("Store a key for a provider", {
    more: "Reads the key from the terminal or a pipe, never from an argument, which other programs could see. A second key of the same provider is added, not replaced.",
    examples: ["gantry auth set openai", "pass show openai | gantry auth set openai"],
  }),
});

const login = buildCommand({
  loader: async () => (await import("./login.ts")).default,
  parameters: {
    flags: {
      way: {
        kind: "enum",
        values: ["browser", "device", "paste"],
        brief: "Browser on this machine, a code to type on another device, or a code to paste here",
        optional: true,
      },
    },
    positional: {
      kind: "tuple",
      parameters: [{ brief: "Provider (prompts for it)", placeholder: "provider", parse: String, optional: true }],
    },
  },
  docs: docs("Log in with a subscription", {
    more: "Prints the URL; does not open a browser.",
    examples: ["gantry auth login", "gantry auth login anthropic", "gantry auth login openai-codex --way paste"],
  }),
});

const logout = buildCommand({
  loader: async () => (await import("./auth.ts")).logout,
  parameters: {
    flags: { id: numberFlag("Only this id of `gantry auth list`", "id") },
    positional: one,
  },
  docs: docs("Remove the keys and logins of a provider", {
    examples: ["gantry auth logout openai", "gantry auth logout openai --id 3"],
  }),
});

const status = buildCommand({
  loader: async () => (await import("./auth.ts")).status,
  parameters: {},
  docs: docs("Show where credentials are stored, how they are protected, and problems", {
    examples: ["gantry auth status"],
  }),
});

const serve = buildCommand({
  loader: async () => (await import("./broker.ts")).default,
  parameters: {
    flags: { port: numberFlag("Port (8765)", "port"), folder: textFlag("Folder of the credentials", "folder") },
  },
  docs: docs("Serve the credentials of this machine to other processes on it", {
    more: "Prints its token once, when it creates it. Clients need GANTRY_AUTH_BROKER_URL and GANTRY_AUTH_BROKER_TOKEN; refresh tokens never leave the broker.",
    examples: ["gantry auth broker serve", "gantry auth broker serve --port 9000"],
  }),
});

const token = buildCommand({
  loader: async () => (await import("./broker.ts")).token,
  parameters: {
    flags: { new: toggle("Replace the token"), folder: textFlag("Folder of the credentials", "folder") },
  },
  docs: docs("Print the token that clients of the broker need", {
    examples: ["gantry auth broker token", "gantry auth broker token --new"],
  }),
});

const dryRun = toggle("Only print what would be done");

const importing = buildCommand({
  loader: async () => (await import("./transfer.ts")).importCredentials,
  parameters: {
    flags: { dryRun },
    positional: {
      kind: "tuple",
      parameters: [{ brief: "JSON file, or a folder of them", placeholder: "path", parse: String }],
    },
  },
  docs: docs("Import credentials from files of other programs", {
    more: "Supports files with one login and files with all credentials by provider. If two programs refresh the same login, one of them loses it.",
    examples: ["gantry auth import ~/.pi/agent/auth.json", "gantry auth import ./logins --dry-run"],
  }),
});

const migrate = buildCommand({
  loader: async () => (await import("./transfer.ts")).migrate,
  parameters: { flags: { dryRun } },
  docs: docs("Upload the credentials of this machine to its broker", {
    more: "Uploads stored credentials and those in the environment. Skips duplicates.",
    examples: ["gantry auth broker migrate --dry-run"],
  }),
});

const mcp = buildCommand({
  loader: async () => (await import("./mcp.ts")).default,
  parameters: {
    flags: { mcpConfig: textFlag("File with MCP servers", "file") },
    positional: {
      kind: "tuple",
      parameters: [{ brief: "MCP server, by its name in the file", placeholder: "server", parse: String }],
    },
  },
  docs: docs("Log in to an MCP server that requires it", {
    more: "Prints the URL; does not open a browser.",
    examples: ["gantry auth mcp tracker"],
  }),
});

export const auth = buildRouteMap({
  routes: {
    list,
    set,
    login,
    logout,
    status,
    import: importing,
    mcp,
    broker: buildRouteMap({ routes: { serve, token, migrate }, docs: { brief: "A broker for credentials" } }),
  },
  defaultCommand: "list",
  docs: { brief: "Keys and logins of Gantry's own agent" },
});
