import { buildCommand } from "@stricli/core";
import { docs, textFlag, toggle } from "../parameters.ts";

const LEVELS = ["off", "minimal", "low", "medium", "high", "xhigh", "max"] as const;

const choice = <const Values extends readonly string[]>(brief: string, values: Values) =>
  ({ kind: "enum", values, brief, optional: true }) as const;

const listFlag = (brief: string, placeholder: string) =>
  ({ kind: "parsed", parse: String, brief, placeholder, optional: true, variadic: true }) as const;

export const agentFlags = {
  mode: choice("How it talks: text, json (events as lines) or rpc (JSON lines on stdin and stdout)", [
    "text",
    "json",
    "rpc",
  ] as const),
  print: toggle("Answer the prompt and exit"),
  model: textFlag("Model: provider/id, a role or a part of a name, with :level if wanted", "model"),
  provider: textFlag("Provider of the model", "id"),
  models: textFlag("Models to cycle through", "a,b"),
  mpreset: textFlag("Profile of models", "name"),
  default: toggle("With --mpreset: have this profile from now on"),
  thinking: choice("How hard it thinks", LEVELS),
  permissionMode: choice("What it may do without asking", ["plan", "ask", "auto-edit", "full-auto"] as const),
  cwd: textFlag("Folder to work in", "folder"),
  continue: toggle("Go on with the last session of the folder"),
  resume: textFlag("Go on with this session", "id|path"),
  session: textFlag("The same as --resume", "id|path"),
  fork: textFlag("Go on with a copy of this session", "id|path"),
  folder: listFlag("A further folder that it may write in as in its own", "folder"),
  skills: listFlag("A folder that holds skills", "folder"),
  sessionDir: textFlag("Folder for session files", "folder"),
  noSession: toggle("Keep nothing on disk"),
  tools: textFlag("Only these tools", "a,b"),
  noTools: toggle("No tools"),
  noRules: toggle("Neither rules nor context files"),
  noSkills: toggle("No skills"),
  noLsp: toggle("No language servers"),
  noTitle: toggle("Give the session no title by itself, which it never does"),
  mcpConfig: textFlag("File with MCP servers", "file"),
  systemPrompt: textFlag("In place of the agent's own system prompt", "text"),
  appendSystemPrompt: textFlag("After the system prompt; @file takes it from a file", "text"),
  apiKey: textFlag("Key for the model's provider, for this run", "key"),
  bareEvents: toggle("With --mode rpc: events without their envelope"),
};

export const agent = buildCommand({
  loader: async () => (await import("./agent.ts")).agent,
  parameters: {
    aliases: { p: "print", c: "continue", r: "resume", m: "model" },
    flags: agentFlags,
    positional: {
      kind: "array",
      parameter: { brief: "Prompt; @file sends a file along", placeholder: "prompt", parse: String },
    },
  },
  docs: docs("Gantry's own coding agent", {
    more: "Without a prompt on a terminal it is interactive. With -p or in a pipe it answers and exits: 0 if the answer came.",
    examples: ['gantry agent -p "What is in this folder?"', "gantry agent --mode rpc --no-session"],
  }),
});

export const trust = buildCommand({
  loader: async () => (await import("./trust.ts")).default,
  parameters: {
    flags: { show: toggle("List what would be allowed, and change nothing"), remove: toggle("Trust it no longer") },
    positional: {
      kind: "tuple",
      parameters: [{ brief: "Folder; this one if left out", placeholder: "folder", parse: String, optional: true }],
    },
  },
  docs: docs("Let Gantry's own agent run what a project supplies", {
    more: "Language servers, Python environments and MCP servers of a project do not run before this. Trust holds for the content of each file.",
    examples: ["gantry trust", "gantry trust --show ~/work/shop", "gantry trust --remove"],
  }),
});
