export { agentFolder } from "./credentials/agent-folder.ts";
export * from "./credentials/credentials.ts";
export { fromEnvironment, KEY_VARIABLES } from "./credentials/environment.ts";
export { redact, rememberSecret, withoutSecrets } from "./credentials/hiding.ts";
export { CredentialError, type CredentialRow } from "./credentials/rows.ts";
export * from "./messages.ts";
export * from "./model.ts";
export * from "./registry-port.ts";
export * from "./stream.ts";
