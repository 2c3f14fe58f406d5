export { agentById, builtInAgents as agents } from "./agents/registry.ts";
export { Config, ConfigError, gantryHome, loadConfig } from "./config.ts";
export { projectDiff } from "./demo/project.ts";
export { type DaemonFile, DaemonHeldError, readDaemonFile } from "./home.ts";
export { decodeRecording, type RecordingEntry, recognise, type Summary, summarise } from "./recording/recording.ts";
export { Redactor } from "./transfer/redact.ts";
export { openLocalTrust } from "./trust/open-trust.ts";
