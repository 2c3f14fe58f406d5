import type { ControlValues, InputOption, Mode } from "@gantry/protocol";
import type { LaunchOptions } from "../../../contract.ts";
import { compact, type Fields, text } from "../../../fields.ts";
import { initialDecoderState } from "../../../json-lines/pass.ts";
import { initialTwoWay, type TwoWayState } from "../../../json-lines/two-way.ts";
import { chosenLevel } from "../../controls.ts";
import { kitParams } from "./kit.ts";

/** The request that opens the session. */
export type Opening = { method: string; params: Record<string, unknown> };

/** An open request: its tool calls, Droid's options, or its questions. */
export type DroidAsk = { tools: string[]; options: InputOption[]; questions?: string[] };

export type RpcState = Omit<TwoWayState, "asks"> & {
  asks: Record<string, DroidAsk>;
  opening: Opening;
  /** Settings to apply to a resumed session. */
  wanted: Record<string, unknown>;
  /** The requested controls. Absent in marks of earlier versions. */
  controls?: ControlValues;
  /** Fork the session before resuming it. */
  fork?: boolean;
  /** The current mode. */
  mode?: Mode;
  /** The context size, and the usage published last. */
  size?: number;
  used?: number;
  /** The message with a denial reason, until it was processed. */
  explaining?: string;
  /** Subagent sessions by tool call. */
  children?: Record<string, string>;
};

export const CHANNEL = "stream-jsonrpc";

type Settings = { interactionMode: string; autonomyLevel: string };

/** How Droid implements a mode. Without autonomy it asks for everything but reading. */
export const rungs: Record<Exclude<Mode, "inherit">, Settings> = {
  plan: { interactionMode: "spec", autonomyLevel: "off" },
  ask: { interactionMode: "auto", autonomyLevel: "off" },
  "auto-edit": { interactionMode: "auto", autonomyLevel: "low" },
  "full-auto": { interactionMode: "auto", autonomyLevel: "high" },
};

const levels: Record<string, Mode> = { off: "ask", low: "auto-edit", medium: "full-auto", high: "full-auto" };

/** The mode for Droid's settings. */
export function rungOf(settings: Fields): Mode | undefined {
  if (settings.interactionMode === "spec") return "plan";
  return levels[text(settings.autonomyLevel) ?? ""];
}

/** Droid's settings for a mode, with the autonomy level that the session chose. */
export function settingsOf(mode: Mode, controls?: ControlValues): Partial<Settings> {
  const level = chosenLevel(mode, controls);
  if (mode === "inherit") return level ? { interactionMode: "auto", autonomyLevel: level } : {};
  return { ...rungs[mode], ...(level ? { autonomyLevel: level } : {}) };
}

/** A title keeps Droid from requesting one from the model. */
const TITLE = "Gantry";

export function initialState(options: LaunchOptions): RpcState {
  const { resume, cwd, model, mode, uuid, effort, fork } = options;
  const rung = settingsOf(mode, options.controls);
  const wanted = compact({ modelId: model, reasoningEffort: effort, ...rung });
  const given = kitParams(options);
  const opening = resume ? load(resume, given) : open({ machineId: uuid, cwd, title: TITLE, ...wanted, ...given });
  return compact({
    ...initialDecoderState(options),
    ...initialTwoWay,
    asks: {},
    opening,
    wanted,
    controls: options.controls,
    fork: fork && resume !== undefined,
  });
}

function open(params: Record<string, unknown>): Opening {
  return { method: "droid.initialize_session", params };
}

/** Loads a session with the minimum of one message, because the log already has them. */
export function load(sessionId: string, more: Fields): Opening {
  return { method: "droid.load_session", params: { ...more, sessionId, messageLimit: 1 } };
}
