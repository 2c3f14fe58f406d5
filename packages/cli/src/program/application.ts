import {
  type Application,
  buildApplication,
  buildRouteMap,
  type StricliIntegration,
  version as versionFlag,
} from "@stricli/core";
import { loadCommands } from "../commands/table.ts";
import type { Context } from "./context.ts";
import { errorText } from "./error-text.ts";
import { reportOf } from "./errors.ts";
import { globalFlags } from "./globals.ts";
import { rootHelp } from "./root-help.ts";

/** The command line with the command `name`, or with all commands. Their code is loaded when they are called. */
export async function buildCommandLine(
  { version, output }: Pick<Context, "version" | "output">,
  name?: string,
): Promise<Application<Context>> {
  const hidden = { __complete: true };
  const routes = await loadCommands(name);
  return buildApplication<Context>(
    buildRouteMap<string, Context>({
      routes,
      docs: {
        brief: "Every coding agent on your machine behind one durable session",
        hideRoute: "__complete" in routes ? hidden : {},
      },
    }),
    {
      name: "gantry",
      scanner: { caseStyle: "allow-kebab-for-camel", allowArgumentEscapeSequence: true },
      localization: { text: errorText(output) },
      determineExitCode: (error) => reportOf(error).exit,
    },
    {
      help: helpFlag(version),
      version: versionFlag({ alias: "V", brief: "Print the version", info: { currentVersion: version } }),
    },
  );
}

function helpFlag(version: string): StricliIntegration<Context> {
  return {
    flag: {
      brief: "Show help",
      aliases: ["h"],
      global: true,
      defaultForRouteMap: true,
      run(app, { result, text, ansiColorByStream }) {
        const { stdout } = this.process;
        if (result.target === app.root && "getAllEntries" in app.root) {
          const briefs = new Map(app.root.getAllEntries().map(({ name, target }) => [name.original, target.brief]));
          return stdout.write(rootHelp(version, briefs, ansiColorByStream.stdout));
        }
        const help = result.target.formatHelp({
          prefix: result.prefix,
          text,
          additionalFlags: [],
          includeArgumentEscapeSequenceFlag: false,
          includeHidden: false,
          config: { useAliasInUsageLine: false, onlyRequiredInUsageLine: false, caseStyle: "convert-camel-to-kebab" },
          aliases: [],
          ansiColor: ansiColorByStream.stdout,
        });
        const globals = globalFlags.map(({ name, brief }) => `  ${name.padEnd(12)}${brief}`);
        stdout.write(`${tidy(help)}\n\nEVERYWHERE\n${globals.join("\n")}\n`);
      },
    },
  };
}

/** Removes the defaults of switches and an empty list of flags. */
function tidy(help: string): string {
  return help
    .replace(/ +\S*\[default = false\]\S*/g, "")
    .replace(/\S*FLAGS\S*\n\n/, "")
    .trimEnd();
}
