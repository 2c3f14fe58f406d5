import { buildCommand } from "@stricli/core";
import { docs, textFlag, toggle } from "../parameters.ts";

const LEVELS = ["off", "minimal", "low", "medium", "high", "xhigh", "max"] as const;

const choice = <const Values extends readonly string[]>(brief: string, values: Values) =>
  ({ kind: "enum", values, brief, optional: true }) as const;

const listFlag = (brief: string, placeholder: string) =>
  ({ kind: "parsed", parse: String, brief, placeholder, optional: true, variadic: true }) as const;

export const agentFlags = {
  mode: choice("Output: text, json (events as lines) or rpc (JSON lines on stdin and stdout)", [
    "text",
    "json",
    "rpc",
  ] as const),
  print: toggle("Answer the prompt and exit"),
  model: textFlag("Model: provider/id, a role or part of a name, optionally with :level", "model"),
  provider: textFlag("Provider of the model", "id"),
  models: textFlag("Models to cycle through", "a,b"),
  mpreset: textFlag("Profile of models", "name"),
  default: toggle("With --mpreset: make this profile the default"),
  thinking: choice("Reasoning effort", LEVELS),
  permissionMode: choice("What it may do without asking", ["plan", "ask", "auto-edit", "full-auto"] as const),
  cwd: textFlag("Folder to work in", "folder"),
  continue: toggle("Continue the last session of the folder"),
  resume: textFlag("Resume this session", "id|path"),
  session: textFlag("The same as --resume", "id|path"),
  fork: textFlag("Continue in a copy of this session", "id|path"),
  folder: listFlag("Additional folder that the agent may write in", "folder"),
  skills: listFlag("Folder with skills", "folder"),
  sessionDir: textFlag("Folder for session files", "folder"),
  noSession: toggle("Do not store the session on disk"),
  tools: textFlag("Only these tools", "a,b"),
  noTools: toggle("No tools"),
  noRules: toggle("No rules and no context files"),
  noSkills: toggle("No skills"),
  noExtensions: toggle("No extensions, hooks and commands of files"),
  extension: listFlag("Further extension: a file, a folder or a package", "path|name"),
  noLsp: toggle("No language servers"),
  noTitle: toggle("No automatic title (the default)"),
  mcpConfig: textFlag("File with MCP servers", "file"),
  systemPrompt: textFlag("Replace the agent's system prompt", "text"),
  appendSystemPrompt: textFlag("Append to the system prompt; @file reads it from a file", "text"),
  apiKey: textFlag("Key for the model's provider, for this run", "key"),
  bareEvents: toggle("With --mode rpc: events without their envelope"),
  fullUpdates: toggle("With --mode rpc: the whole message so far in each update"),
};

export const agent = buildCommand({
  loader: async () => (await import("./agent.ts")).agent,
  parameters: {
    aliases: { p: "print", c: "continue", r: "resume", m: "model" },
    flags: agentFlags,
    positional: {
      kind: "array",
      parameter: { brief: "Prompt; @file attaches a file", placeholder: "prompt", parse: String },
    },
  },
  docs: docs("Gantry's own coding agent", {
    more: "Interactive on a terminal without a prompt. With -p or in a pipe it prints the answer and exits 0 on success.",
    examples: ['gantry agent -p "What is in this folder?"', "gantry agent --mode rpc --no-session"],
  }),
});

export const demo = buildCommand({
  loader: async () => (await import("../demo/demo.ts")).default,
  parameters: { flags: { yes: toggle("Allow everything without asking") }, aliases: { y: "yes" } },
  docs: docs("Show a complete session without a key or a network", {
    more: "Runs Gantry's own agent with a built-in demo model in a temporary project.",
    examples: ["gantry demo", "gantry demo --yes"],
  }),
});
