import type { LaunchOptions } from "../../contract.ts";
import { initialDecoderState } from "../../json-lines/pass.ts";
import { initialTwoWay, type TwoWayState } from "../../json-lines/two-way.ts";
import type { CursorState } from "../state.ts";

export type SdkState = CursorState &
  TwoWayState & {
    /** The mode that was requested for the process. */
    mode?: LaunchOptions["mode"];
    /** The conversation runs in Cursor's cloud. */
    cloud?: boolean;
    /** The recording contains run results, and a run ends with its result. */
    wrapped?: boolean;
    /** The shell call that runs, for its output. */
    shell?: string;
  };

export function initialState(options: LaunchOptions): SdkState {
  return { ...initialDecoderState(options), ...initialTwoWay, mode: options.mode };
}
