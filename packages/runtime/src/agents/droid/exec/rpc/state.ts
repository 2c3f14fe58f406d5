import type { InputOption, Mode } from "@gantry/protocol";
import type { LaunchOptions } from "../../../contract.ts";
import { compact, type Fields, text } from "../../../fields.ts";
import { initialDecoderState } from "../../../json-lines/pass.ts";
import { initialTwoWay, type TwoWayState } from "../../../json-lines/two-way.ts";
import { kitParams } from "./kit.ts";

/** The request that opens the session. */
export type Opening = { method: string; params: Record<string, unknown> };

/** An open question: the tool calls that it is about, what Droid calls the answers, or what it wants to know. */
export type DroidAsk = { tools: string[]; options: InputOption[]; questions?: string[] };

export type RpcState = Omit<TwoWayState, "asks"> & {
  asks: Record<string, DroidAsk>;
  opening: Opening;
  /** What a session that goes on is to be set to: it comes back as it was left. */
  wanted: Record<string, unknown>;
  /** The session to go on with is to be copied first. */
  fork?: boolean;
  /** The rung that Droid is on. */
  mode?: Mode;
  /** How many tokens the model's context holds, and what was last told of it. */
  size?: number;
  used?: number;
  /** The message that tells Droid why a call was denied, until it has been worked on. */
  explaining?: string;
  /** Sessions of subagents, by the tool calls that started them. */
  children?: Record<string, string>;
};

export const CHANNEL = "stream-jsonrpc";

type Settings = { interactionMode: string; autonomyLevel: string };

/** What a rung is to Droid. Without autonomy it asks for everything but reading. */
export const rungs: Record<Exclude<Mode, "inherit">, Settings> = {
  plan: { interactionMode: "spec", autonomyLevel: "off" },
  ask: { interactionMode: "auto", autonomyLevel: "off" },
  "auto-edit": { interactionMode: "auto", autonomyLevel: "low" },
  "full-auto": { interactionMode: "auto", autonomyLevel: "high" },
};

const levels: Record<string, Mode> = { off: "ask", low: "auto-edit", medium: "auto-edit", high: "full-auto" };

/** The rung that Droid's settings amount to. */
export function rungOf(settings: Fields): Mode | undefined {
  if (settings.interactionMode === "spec") return "plan";
  return levels[text(settings.autonomyLevel) ?? ""];
}

/** With a title of ours Droid does not ask the model for one. */
const TITLE = "Gantry";

export function initialState(options: LaunchOptions): RpcState {
  const { resume, cwd, model, mode, uuid, effort, fork } = options;
  const rung = mode === "inherit" ? {} : rungs[mode];
  const wanted = compact({ modelId: model, reasoningEffort: effort, ...rung });
  const given = kitParams(options);
  const opening = resume ? load(resume, given) : open({ machineId: uuid, cwd, title: TITLE, ...wanted, ...given });
  return compact({
    ...initialDecoderState(options),
    ...initialTwoWay,
    asks: {},
    opening,
    wanted,
    fork: fork && resume !== undefined,
  });
}

function open(params: Record<string, unknown>): Opening {
  return { method: "droid.initialize_session", params };
}

/** The messages that come back with a session are in our log already: one is the fewest that can be asked for. */
export function load(sessionId: string, more: Fields): Opening {
  return { method: "droid.load_session", params: { ...more, sessionId, messageLimit: 1 } };
}
