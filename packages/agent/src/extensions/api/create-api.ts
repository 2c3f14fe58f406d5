import type { Loaded } from "../load/loaded.ts";
import type { ExtensionApi, ExtensionSession, ExtensionUi } from "./types.ts";

export type ApiParts = {
  cwd: string;
  ui: ExtensionUi;
  session: ExtensionSession;
  /** Called after a registration that others must learn of. */
  onProviders(): void;
};

const TOOL_NAME = /^[A-Za-z0-9_-]{1,64}$/;
const COMMAND_NAME = /^[a-z0-9][a-z0-9_:-]{0,63}$/;

/** The object that an extension gets. A wrong registration throws, so that the author sees it. */
export function createApi(extension: Loaded, { cwd, ui, session, onProviders }: ApiParts): ExtensionApi {
  const { found, tools, commands, handlers, providers } = extension;
  const requireText = (value: unknown, what: string) => {
    if (typeof value !== "string" || value === "") throw new TypeError(`${what} must be a text.`);
  };
  const requireFunction = (value: unknown, what: string) => {
    if (typeof value !== "function") throw new TypeError(`${what} must be a function.`);
  };
  return {
    name: found.name,
    cwd,
    ui,
    session,
    on(name, handler) {
      requireFunction(handler, `The handler of ${String(name)}`);
      handlers.push({ name, run: handler });
    },
    registerTool(tool) {
      requireText(tool?.name, "The name of a tool");
      if (!TOOL_NAME.test(tool.name)) throw new TypeError("The name of a tool has 1 to 64 letters, digits, _ or -.");
      requireText(tool.description, `The description of ${tool.name}`);
      requireFunction(tool.run, `run of ${tool.name}`);
      if (typeof tool.parameters !== "object" || tool.parameters === null)
        throw new TypeError(`The parameters of ${tool.name} must be a JSON Schema.`);
      tools.set(tool.name, tool);
    },
    registerCommand(name, command) {
      requireText(name, "The name of a command");
      if (!COMMAND_NAME.test(name))
        throw new TypeError("The name of a command has lower-case letters, digits, -, _ and :.");
      requireFunction(command?.run, `run of /${name}`);
      commands.set(name, command);
    },
    registerProvider(id, provider) {
      requireText(id, "The id of a provider");
      if (!Array.isArray(provider?.models) || provider.models.length === 0)
        throw new TypeError(`The provider ${id} has no models.`);
      providers.set(id, provider);
      onProviders();
    },
  };
}
