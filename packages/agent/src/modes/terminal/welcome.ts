import { homedir } from "node:os";
import { sep } from "node:path";
import type { StartedAgent } from "../../start/start-agent.ts";
import type { TranscriptView } from "./transcript.ts";

/** What stands on an empty screen: where one is, what one talks to, and what can be done. */
export function welcome({ session }: StartedAgent, view: TranscriptView): string[] {
  const { model, mode, sessionName } = session.state();
  const dim = (text: string) => view.paint("dim", text);
  const hint = "Say what is to be done. @file names a file, !command runs one, /help lists the rest.";
  const head = [view.paint("bold", "Gantry"), dim(shortPath(session.cwd)), ...(sessionName ? [dim(sessionName)] : [])];
  const lines = [head.join("  "), "", ...view.prose(hint, "dim"), ...view.prose(MODES[mode] ?? mode, "dim")];
  if (model) return lines;
  const none = "There is no model to talk to yet: /login, or set a key such as OPENAI_API_KEY.";
  return [...lines, "", ...view.prose(none, "yellow")];
}

const MODES: Record<string, string> = {
  plan: "It only reads; /mode changes that.",
  ask: "It asks before it writes or runs anything; /mode changes that.",
  "auto-edit": "It writes in this folder and asks before it runs anything; /mode changes that.",
  "full-auto": "It does everything without asking; /mode changes that.",
};

function shortPath(path: string): string {
  const home = homedir();
  return path === home || path.startsWith(home + sep) ? `~${path.slice(home.length)}` : path;
}
