import { join } from "node:path";
import {
  type AgentCommand,
  type Channel,
  defineChannel,
  type Launch,
  type LaunchOptions,
  type Outbound,
} from "../../contract.ts";
import { compact, fields } from "../../fields.ts";
import { serverEntry } from "../../kit/launch-parts.ts";
import { listConversations } from "./conversations.ts";
import { decode, FOLLOW, SDK } from "./decode.ts";
import { isFromSdk } from "./messages.ts";
import { initialState, type SdkState } from "./state.ts";

const OPTIONS = "sdk.json";

/** What the SDK loads of Cursor's own configuration. */
const USER_SETTINGS = ["user", "team", "mdm"];
const PROJECT_SETTINGS = ["project", "plugins"];

/** `@cursor/sdk` in a worker process: one process per session, JSON lines in both directions. */
export const sdk: Channel<never> = defineChannel<SdkState>({
  name: SDK,
  takes: { servers: ["stdio", "http", "sse"], folders: true },
  ignoresProject: { modes: ["plan", "ask", "auto-edit", "full-auto", "inherit"], since: "1.0.32" },
  launch,
  initial: initialState,
  open: () => [],
  decode,
  encode,
  conversations: listConversations,
  recognises: (lines) => lines.some((line) => isFromSdk(fields(line))),
});

/** The options travel in a file, because those of MCP servers may contain keys. */
function launch({ dir, mode, model, resume, folders, kit, project }: LaunchOptions): Launch {
  const servers = kit?.servers.map((server) => [server.name, serverEntry(server)]) ?? [];
  const options = compact({
    mode: mode === "plan" ? "plan" : "agent",
    model,
    resume,
    folders,
    servers: servers.length > 0 ? Object.fromEntries(servers) : undefined,
    settings: [...USER_SETTINGS, ...(project === "untrusted" ? [] : PROJECT_SETTINGS)],
    scratch: join(dir, "tmp"),
  });
  return { args: ["run", join(dir, OPTIONS)], files: { [OPTIONS]: JSON.stringify(options) } };
}

function encode(state: SdkState, command: AgentCommand): Outbound[] | undefined {
  const id = `${command.type}-${state.written}`;
  const frame = (msg: Record<string, unknown>, key = id, repeat: Outbound["repeat"] = "safe"): Outbound[] => [
    { msg: { id: key, ...msg }, key, repeat },
  ];
  switch (command.type) {
    case "prompt":
      return frame(promptFields(state, command), command.message, "ask");
    case "interrupt":
      return frame({ type: "cancel" });
    case "set":
      // The mode is a property of the process.
      return command.model ? frame({ type: "set_model", model: command.model }) : undefined;
    case "close":
      return frame({ type: "close" });
    case "ping":
      return frame({ type: "ping" }, command.key);
    default:
      return undefined;
  }
}

/** Images are sent inline, other files by path. `/follow` shows the newest run of a cloud agent. */
function promptFields({ cloud }: SdkState, { text, attachments }: Extract<AgentCommand, { type: "prompt" }>) {
  if (cloud && text.trim() === FOLLOW) return { type: "follow", text };
  const images = attachments.flatMap(({ data, mime }) =>
    data && mime?.startsWith("image/") ? [{ data, mimeType: mime }] : [],
  );
  const paths = attachments.flatMap(({ path, data }) => (path && !data ? [`@${path}`] : []));
  const whole = paths.length > 0 ? `${text}\n\n${paths.join("\n")}` : text;
  return compact({ type: "prompt", text: whole, images: images.length > 0 ? images : undefined });
}
