import { buildCommand, buildRouteMap } from "@stricli/core";
import { docs, numberFlag, textFlag, toggle } from "../parameters.ts";

const provider = {
  brief: "Provider, as its models are named: anthropic, openai …",
  placeholder: "provider",
  parse: String,
} as const;
const one = { kind: "tuple", parameters: [provider] } as const;

const list = buildCommand({
  loader: async () => (await import("./auth.ts")).list,
  parameters: {},
  docs: docs("List keys and logins of Gantry's own agent, and what the environment offers", {
    examples: ["gantry auth", "gantry auth list --json"],
  }),
});

const set = buildCommand({
  loader: async () => (await import("./auth.ts")).set,
  parameters: { positional: one },
  docs: docs("Keep a key for a provider", {
    more: "The key is asked for, or read from a pipe; never an argument, which other programs could see. A second key of the same provider is kept beside the first.",
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
        brief: "A browser on this machine, a code to type elsewhere, or a code to paste",
        optional: true,
      },
    },
    positional: {
      kind: "tuple",
      parameters: [
        { brief: "Provider; asked for where it is left out", placeholder: "provider", parse: String, optional: true },
      ],
    },
  },
  docs: docs("Log in with a subscription", {
    more: "The address is printed; nothing is opened by itself.",
    examples: ["gantry auth login", "gantry auth login anthropic", "gantry auth login openai-codex --way paste"],
  }),
});

const logout = buildCommand({
  loader: async () => (await import("./auth.ts")).logout,
  parameters: {
    flags: { id: numberFlag("Only this one of `gantry auth list`", "id") },
    positional: one,
  },
  docs: docs("Remove the keys and logins of a provider", {
    examples: ["gantry auth logout openai", "gantry auth logout openai --id 3"],
  }),
});

const status = buildCommand({
  loader: async () => (await import("./auth.ts")).status,
  parameters: {},
  docs: docs("Show where credentials are kept, how they are protected and what is wrong", {
    examples: ["gantry auth status"],
  }),
});

const serve = buildCommand({
  loader: async () => (await import("./broker.ts")).default,
  parameters: {
    flags: { port: numberFlag("Port (8765)", "port"), folder: textFlag("Folder of the credentials", "folder") },
  },
  docs: docs("Serve the credentials of this machine to other processes on it", {
    more: "Its token is printed once, when it is made. Clients need GANTRY_AUTH_BROKER_URL and GANTRY_AUTH_BROKER_TOKEN; refresh tokens never leave the broker.",
    examples: ["gantry auth broker serve", "gantry auth broker serve --port 9000"],
  }),
});

const token = buildCommand({
  loader: async () => (await import("./broker.ts")).token,
  parameters: {
    flags: { new: toggle("Make another one"), folder: textFlag("Folder of the credentials", "folder") },
  },
  docs: docs("Print the token that clients of the broker need", {
    examples: ["gantry auth broker token", "gantry auth broker token --new"],
  }),
});

const dryRun = toggle("Only say what would be done");

const importing = buildCommand({
  loader: async () => (await import("./transfer.ts")).importCredentials,
  parameters: {
    flags: { dryRun },
    positional: {
      kind: "tuple",
      parameters: [{ brief: "JSON file, or a folder of them", placeholder: "path", parse: String }],
    },
  },
  docs: docs("Keep credentials that other programs have in files", {
    more: "Understood are files with one login each, and files that hold all credentials by provider. A login that two programs refresh is soon good for one of them only.",
    examples: ["gantry auth import ~/.pi/agent/auth.json", "gantry auth import ./logins --dry-run"],
  }),
});

const migrate = buildCommand({
  loader: async () => (await import("./transfer.ts")).migrate,
  parameters: { flags: { dryRun } },
  docs: docs("Give the credentials of this machine to its broker", {
    more: "What is stored here and what the environment holds. What the broker has already it has once.",
    examples: ["gantry auth broker migrate --dry-run"],
  }),
});

const mcp = buildCommand({
  loader: async () => (await import("./mcp.ts")).default,
  parameters: {
    flags: { mcpConfig: textFlag("File with MCP servers", "file") },
    positional: {
      kind: "tuple",
      parameters: [{ brief: "MCP server, as its file calls it", placeholder: "server", parse: String }],
    },
  },
  docs: docs("Log in to an MCP server that asks for it", {
    more: "The address is printed; nothing is opened by itself.",
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
