import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type PendingAction,
  type Tool,
  type ToolContext,
  ToolError,
  type ToolOutput,
  type UrlContent,
} from "../contract/tool.ts";
import type { Action } from "../permissions/action.ts";

/** A temporary folder with a session's state, in which tests call tools like the loop does. */
export class TestPlace {
  readonly cwd = realpathSync(mkdtempSync(join(tmpdir(), "gantry-tools-")));
  readonly pending: PendingAction[] = [];
  readonly artifacts: string[] = [];
  readonly urls = new Map<string, string>();
  folders: string[] = [];
  #memory = new Map<string, unknown>();

  path(...parts: string[]): string {
    return join(this.cwd, ...parts);
  }

  peek(): PendingAction | undefined {
    return this.pending[0];
  }

  take(): PendingAction | undefined {
    return this.pending.shift();
  }

  context(signal: AbortSignal = new AbortController().signal): ToolContext {
    return {
      ...this.place(),
      callId: "call",
      signal,
      progress: () => {},
      keep: async (text) => `artifact://${this.artifacts.push(text) - 1}`,
      readUrl: async (url): Promise<UrlContent> => ({ text: this.urls.get(url) ?? "" }),
      writeUrl: async (url, content) => void this.urls.set(url, content),
      schemes: ["artifact", "note"],
      ask: async (questions) => questions.map(({ id, options }) => ({ id, selected: [options[0]!.label] })),
      pend: (action) => void this.pending.push(action),
      memory: {
        get: <Value>(key: string, make: () => Value): Value => {
          if (!this.#memory.has(key)) this.#memory.set(key, make());
          return this.#memory.get(key) as Value;
        },
      },
    };
  }

  place() {
    return { cwd: this.cwd, folders: this.folders, env: {} };
  }

  actions(tool: Tool, args: unknown): Action[] {
    return this.prepare(tool, args).actions;
  }

  prepare(tool: Tool, args: unknown) {
    const prepared = tool.prepare(args, this.place());
    if ("invalid" in prepared) throw new ToolError(prepared.invalid);
    return prepared;
  }

  async run(tool: Tool, args: unknown, signal?: AbortSignal): Promise<ToolOutput> {
    return this.prepare(tool, args).run(this.context(signal));
  }

  async text(tool: Tool, args: unknown, signal?: AbortSignal): Promise<string> {
    const { content } = await this.run(tool, args, signal);
    return content.map((block) => (block.type === "text" ? block.text : `<${block.mimeType}>`)).join("\n");
  }

  dispose(): void {
    rmSync(this.cwd, { recursive: true, force: true });
  }
}
