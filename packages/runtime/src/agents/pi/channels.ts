import { join } from "node:path";
import type { Channel, Launch, LaunchOptions } from "../contract.ts";
import { jsonChannel, rpcChannel } from "../json-lines/pi-rpc/channel.ts";
import { instructionsFile, type LaunchPart, mergeLaunch, serverEntry, skillsFolder } from "../kit/launch-parts.ts";
import { isAtLeast } from "../probing/fallback.ts";

/** Skills and instructions have flags. MCP servers, which Pi has since version 1, are registered by an extension. */
const takes = {
  instructions: true,
  skills: true,
  folders: "named",
  servers: ["stdio", "http"],
  serversSince: "1.0",
} as const;
const ignoresProject = {
  modes: ["plan", "ask", "auto-edit", "full-auto", "inherit"],
  since: "0.87.1",
} as const satisfies Channel["ignoresProject"];

/** `pi --mode rpc`: one process per session, steering, questions of extensions. */
export const rpc = rpcChannel({ launch: (options) => launchOf("rpc", options), takes, ignoresProject, gate: true });

/** `pi --mode json` with the prompt on stdin: one process per turn. */
export const json = jsonChannel({ launch: (options) => launchOf("json", options), takes, ignoresProject, gate: true });

function launchOf(outputs: "rpc" | "json", options: LaunchOptions): Launch {
  const { kit, dir } = options;
  return mergeLaunch(
    { args: argumentsFor(outputs, options) },
    skillsFolder(kit, dir, (path) => ({ args: ["--skill", path] })),
    instructionsFile(kit, dir, (path) => ({ args: ["--append-system-prompt", path] })),
    serversExtension(options),
  );
}

const SERVERS_FILE = "servers.mjs";

/** Registers the kit's servers for one process. Their tools are offered to the model like Pi's own. */
function serversExtension({ kit, dir }: LaunchOptions): LaunchPart | undefined {
  if (!kit || kit.servers.length === 0) return undefined;
  const servers = kit.servers.map((server) => [server.name, { ...serverEntry(server), exposure: "direct" }]);
  const file = `const servers = ${JSON.stringify(servers)};
export default (host) => {
  for (const [name, server] of servers) host.registerMcpServer?.(name, server);
};
`;
  return { args: ["--extension", join(dir, SERVERS_FILE)], files: { [SERVERS_FILE]: file } };
}

function argumentsFor(outputs: "rpc" | "json", options: LaunchOptions): string[] {
  const { model, effort, resume, fork } = options;
  const [, provider, id] = /^([^/]+)\/(.+)$/.exec(model ?? "") ?? [];
  return [
    ...["--mode", outputs],
    ...(provider && id ? ["--provider", provider, "--model", id] : model ? ["--model", model] : []),
    ...(effort ? ["--thinking", effort] : []),
    ...projectTrust(options),
    ...(resume ? [fork ? "--fork" : "--session", resume] : []),
  ];
}

/** Without a terminal, Pi asks nothing and ignores a project that it does not know, so a trusted one has to be approved. */
function projectTrust({ project, version = "" }: LaunchOptions): string[] {
  if (project === "untrusted") return ["--no-approve"];
  return project === "trusted" && isAtLeast(version, ignoresProject.since) ? ["--approve"] : [];
}
