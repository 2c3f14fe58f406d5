import { lastMarker, type Marker, markedFolder } from "../marker.ts";

/** A tool that the agent offers. `freeform` tools take text, all others JSON that matches `schema`. */
export interface OfferedTool {
  name: string;
  schema: Record<string, unknown>;
  freeform?: boolean;
  /** A group of tools that the call must name as well. */
  namespace?: string;
}

/** One entry of the conversation so far, whichever wire format it came in. `text` of tools is there where it is read. */
export type Entry = { from: "human"; text: string } | { from: "model" } | { from: "tools"; text?: string };

/** A request for a reply, freed from its wire format. */
export interface ModelRequest {
  model: string;
  stream: boolean;
  system: string;
  entries: Entry[];
  tools: OfferedTool[];
  /** Set when the caller requests JSON for a schema (titles, routing). `{}` means any JSON. */
  wantsJson?: Record<string, unknown>;
}

/** Where a request stands in its scenario. */
export interface Position {
  marker: Marker | null;
  /**
   * Tool rounds since the user's message with the scenario, or since the last user message if there is no scenario. Does
   * not count rounds whose outcome the agent does not know.
   */
  step: number;
  cwd: string;
  /** The human's text that holds the marker, or the last one. */
  prompt: string;
}

const FOLDER_PATTERNS = [
  /^Workspace Path: (\S+)/m,
  /Primary working directory: (\S+)/,
  /Working directory: '?([^\s']+)/i,
  /<cwd>\s*([^<]+?)\s*<\/cwd>/,
  /cwd[=:]\s*(\/\S+)/,
  /working in the directory: (\S+)/,
  /working directory is `([^`]+)`/,
  /Workspace Directories:\*\*\s+- (\S+)/,
  /^% pwd\n(\/\S+)/m,
];

/** Finds the scenario and the step from the conversation alone: the server keeps no state between requests. */
export function locate(request: ModelRequest): Position {
  const marked = request.entries.findLastIndex((entry) => entry.from === "human" && lastMarker(entry.text) !== null);
  const at = marked >= 0 ? marked : request.entries.findLastIndex((entry) => entry.from === "human");
  const named = request.entries[at];
  const prompt = named?.from === "human" ? named.text : "";
  const humanText = request.entries.map((entry) => (entry.from === "human" ? entry.text : "")).join("\n");
  return {
    marker: lastMarker(prompt),
    step: toolRounds(request.entries.slice(at + 1)),
    cwd: findFolder(prompt, request.system, humanText),
    prompt,
  };
}

/** After an interrupted call, the model makes the same call again. */
const BROKEN_OFF = /the session ended while this call was running/;

function toolRounds(entries: Entry[]): number {
  let rounds = 0;
  let round: string[] = [];
  const close = () => {
    if (round.length > 0 && !round.some((text) => BROKEN_OFF.test(text))) rounds++;
    round = [];
  };
  for (const entry of entries) {
    if (entry.from === "tools") round.push(entry.text ?? "");
    if (entry.from === "model") close();
  }
  close();
  return rounds;
}

function findFolder(prompt: string, system: string, humanText: string): string {
  const marked = markedFolder(prompt);
  if (marked) return marked;
  for (const text of [prompt, system, humanText]) {
    for (const pattern of FOLDER_PATTERNS) {
      const found = pattern.exec(text)?.[1];
      if (found) return found;
    }
  }
  return "/tmp";
}
