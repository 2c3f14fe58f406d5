import { homePath } from "@gantry/terminal";
import type { PermissionMode } from "../../../permissions/action.ts";
import type { StartedAgent } from "../../../start/start-agent.ts";
import type { TranscriptView } from "./transcript.ts";

/** The lines of an empty session: the folder, a hint, and the permission mode. */
export function welcome({ session }: StartedAgent, view: TranscriptView): string[] {
  const { model, mode, sessionName } = session.state();
  const { dim, bold } = view.paint;
  const hint = "Describe the task. @file attaches a file, !command runs a command, /help lists the commands.";
  const head = [bold("Gantry"), dim(homePath(session.cwd)), ...(sessionName ? [dim(sessionName)] : [])];
  const lines = [head.join("  "), "", ...view.prose(hint, "dim"), ...view.prose(MODES[mode], "dim")];
  if (model) return lines;
  const none = "No model is available yet. Use /login, or set a key such as OPENAI_API_KEY.";
  return [...lines, "", ...view.prose(none, "yellow")];
}

/** What each mode does without asking, and what it asks about. A test compares this with the decisions. */
const MODES: Record<PermissionMode, string> = {
  plan: "The agent only reads, also with commands. /mode changes that.",
  ask: "The agent reads without asking, also with commands. It asks before it changes anything or uses the network. /mode changes that.",
  "auto-edit":
    "The agent reads, and writes in this folder, without asking. It asks before commands that change anything and before it uses the network. /mode changes that.",
  "full-auto":
    "The agent works without asking. It asks before it changes anything outside this folder, forces a push or reads credentials. /mode changes that.",
};
