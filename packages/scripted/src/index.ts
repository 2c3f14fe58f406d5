export { scenarios } from "./model/scenarios.ts";
export {
  type ScriptedModel,
  type ScriptedModelOptions,
  type SeenRequest,
  startScriptedModel,
} from "./model/server.ts";
