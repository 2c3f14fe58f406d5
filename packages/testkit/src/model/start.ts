import { type ScriptedModel, type ScriptedModelOptions, startScriptedModel as start } from "@gantry/scripted";
import { findCanaries } from "../canary/canary.ts";

/** Starts the scripted model for a test. Its `close()` rejects when a request from any client contained a canary. */
export function startScriptedModel(options: ScriptedModelOptions = {}): Promise<ScriptedModel> {
  return start({ findSecrets: findCanaries, ...options });
}
