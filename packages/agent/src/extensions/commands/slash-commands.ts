import { readRegularText, realPath } from "@gantry/trust";
import { errorText } from "../../contract/errors.ts";
import type { AgentSession } from "../../contract/session.ts";
import { decide } from "../../permissions/decide.ts";
import { pathOf } from "../../permissions/paths.ts";
import { isRecord } from "../api/extension-tool.ts";
import type { CommandContext, ExtensionCommand } from "../api/types.ts";
import type { Loaded } from "../load/loaded.ts";
import type { Supervisor } from "../load/supervise.ts";
import { expandCommand } from "./expand.ts";
import type { MarkdownCommand } from "./markdown.ts";

/** A command may wait for the user, but not for ever. */
const COMMAND_MS = 30 * 60_000;
const MOST_FILE = 256 * 1024;

/** A row of the list of commands. `source`: whether it runs without the model, or is a text for it. */
export type CommandRow = {
  name: string;
  description?: string;
  argumentHint?: string;
  source: "extension" | "prompt";
  path: string;
};

export type CommandParts = {
  extensions(): readonly Loaded[];
  supervisor: Supervisor;
  context(extension: Loaded): CommandContext;
  session(): AgentSession | undefined;
  env: Record<string, string | undefined>;
  folders: readonly string[];
  /** Uses a model for the next run only. */
  useModel(selector: string): Promise<void>;
  show(text: string): void;
};

export type Taken = { text: string } | { handled: true };

/** The slash commands of extensions and Markdown files. Of two with the same name the first wins. */
export class SlashCommands {
  readonly #parts: CommandParts;

  constructor(parts: CommandParts) {
    this.#parts = parts;
  }

  list(): CommandRow[] {
    const rows = new Map<string, CommandRow>();
    const add = (row: CommandRow) => rows.has(row.name) || rows.set(row.name, row);
    for (const { commands, texts, found } of this.#active()) {
      for (const [name, { description, argumentHint }] of commands)
        add({ name, source: "extension", path: found.path, ...aboutOf(description, argumentHint) });
      for (const { name, path, description, argumentHint } of texts)
        add({ name, source: "prompt", path, ...aboutOf(description, argumentHint) });
    }
    return [...rows.values()];
  }

  /** Runs the command that a text names. Any other text is returned. Never rejects. */
  async take(text: string): Promise<Taken> {
    const [, name, rest = ""] = /^\/([\w:.-]+)(?:\s+([\s\S]*))?$/.exec(text.trim()) ?? [];
    if (name === undefined) return { text };
    for (const extension of this.#active()) {
      const command = extension.commands.get(name);
      if (command) return await this.#run(extension, name, command, rest.trim());
      const markdown = extension.texts.find((each) => each.name === name);
      if (markdown) return { text: await this.#expand(markdown, rest.trim()) };
    }
    return { text };
  }

  async #run(extension: Loaded, name: string, command: ExtensionCommand, rest: string): Promise<Taken> {
    const { supervisor, context, show } = this.#parts;
    const event = `/${name}`;
    const isKnown = (value: unknown) =>
      value === undefined || value === null || typeof value === "string" || promptIn(value) !== undefined;
    const done = await supervisor.run(
      extension,
      event,
      COMMAND_MS,
      () => command.run(rest, context(extension)) as unknown,
      (value) => (isKnown(value) ? undefined : "It returned neither a text nor {prompt}."),
    );
    const prompt = promptIn(done?.value);
    if (prompt !== undefined) return { text: prompt };
    if (typeof done?.value === "string") show(done.value);
    return { handled: true };
  }

  async #expand({ body, model, name }: MarkdownCommand, args: string): Promise<string> {
    const { session, useModel, show } = this.#parts;
    if (model !== undefined)
      await useModel(model).catch((error: unknown) =>
        show(`/${name} names the model ${model}, which is not used: ${errorText(error)}`),
      );
    return await expandCommand(body, args, {
      run: async (command) => {
        const bash = session();
        if (!bash) return "[not run: there is no session]";
        try {
          const { output, exitCode } = await bash.bash(command, { excludeFromContext: true });
          return exitCode === 0 ? output.trimEnd() : `${output.trimEnd()}\n[ended with ${exitCode ?? "a signal"}]`;
        } catch (error) {
          return `[${command} was not run: ${errorText(error)}]`;
        }
      },
      read: async (path) => this.#readFile(path),
    });
  }

  /** Only files that the model could read without a question. */
  #readFile(path: string): string | undefined {
    const { env, folders, session } = this.#parts;
    const cwd = session()?.cwd ?? ".";
    const absolute = pathOf(path, cwd, env.HOME);
    if (absolute === undefined) return undefined;
    const actions = [absolute, realPath(absolute)].map((each) => ({ kind: "file.read" as const, path: each }));
    if (decide("plan", actions, { cwd, folders, env }, [], { person: true }).verdict !== "allow") return undefined;
    try {
      return readRegularText(absolute, MOST_FILE);
    } catch {
      return undefined;
    }
  }

  #active(): Loaded[] {
    return this.#parts.extensions().filter(({ state }) => state === "active");
  }
}

function promptIn(value: unknown): string | undefined {
  return isRecord(value) && typeof value.prompt === "string" ? value.prompt : undefined;
}

function aboutOf(description: unknown, argumentHint: unknown) {
  return {
    ...(typeof description === "string" ? { description } : {}),
    ...(typeof argumentHint === "string" ? { argumentHint } : {}),
  };
}
