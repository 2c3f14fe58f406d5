import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type ToolContext, ToolError, type ToolOutput } from "../../contract/tool.ts";
import type { PermissionMode } from "../../permissions/action.ts";
import { type ExecOptions, type ExecTools, execTools } from "../exec-tools.ts";

/** Handles calls that tools make. */
type InnerCall = { innerCall?: ToolContext["call"] };

/** The real tools over a real folder, called like the loop does, with everything that they report. */
export type Exec = ExecTools & {
  cwd: string;
  mode: PermissionMode;
  notices: string[];
  progress: string;
  artifacts: string[];
  context(signal?: AbortSignal): ToolContext;
  call(tool: string, args: unknown, signal?: AbortSignal): Promise<ToolOutput & { text: string }>;
  close(): Promise<void>;
};

export function startExec({ innerCall, ...options }: Partial<ExecOptions> & InnerCall = {}): Exec {
  // Not in the temporary folder, which is writable in every mode except plan.
  const root = realpathSync(mkdtempSync("/var/tmp/gantry-exec-"));
  const cwd = options.cwd ?? root;
  const env = options.env ?? { ...process.env, HOME: root };
  const place = { cwd, folders: options.folders ?? [], env };
  const made = execTools({
    sessionId: "ses_test",
    agentDir: join(root, ".gantry/agent"),
    mode: () => exec.mode,
    onJobEnd: (text) => exec.notices.push(text),
    onProblem: (text) => exec.notices.push(text),
    ...options,
    ...place,
  });
  const memory = new Map<string, unknown>();
  const context = (signal = new AbortController().signal): ToolContext => ({
    ...place,
    callId: "call",
    signal,
    progress: (delta) => {
      exec.progress += delta;
    },
    keep: async (text) => `artifact://${exec.artifacts.push(text) - 1}`,
    readUrl: async () => Promise.reject(new ToolError("There are no addresses here.")),
    writeUrl: async () => Promise.reject(new ToolError("There are no addresses here.")),
    schemes: [],
    ask: async () => Promise.reject(new ToolError("No person is available.")),
    pend: () => {},
    ...(innerCall && { call: innerCall }),
    memory: {
      get<Value>(key: string, make: () => Value): Value {
        if (!memory.has(key)) memory.set(key, make());
        return memory.get(key) as Value;
      },
    },
  });
  const exec: Exec = {
    ...made,
    cwd,
    mode: "full-auto",
    notices: [],
    progress: "",
    artifacts: [],
    context,
    async call(name, args, signal) {
      const tool = exec.tools.find((candidate) => candidate.name === name);
      if (!tool) throw new Error(`There is no tool ${name}.`);
      const prepared = tool.prepare(args, place);
      if ("invalid" in prepared) throw new ToolError(prepared.invalid);
      const output = await prepared.run(context(signal));
      return { ...output, text: output.content.map((block) => (block.type === "text" ? block.text : "")).join("\n") };
    },
    async close() {
      await made.dispose();
      rmSync(root, { recursive: true, force: true });
    },
  };
  return exec;
}
