export * from "./config/keys.ts";
export * from "./config/models-file.ts";
export * from "./config/presets.ts";
export * from "./config/settings-file.ts";
export { writeSetting } from "./config/write-setting.ts";
export { brokerAddress } from "./credentials/broker/address.ts";
export { localCredentials, uploadToBroker } from "./credentials/broker/migrate.ts";
export { type LocalBroker, startLocalBroker } from "./credentials/broker/start.ts";
export { brokerToken, newBrokerToken } from "./credentials/broker/token.ts";
export * from "./credentials/credentials.ts";
export { agentFolder, fromEnvironment, gantryFolder, KEY_VARIABLES } from "./credentials/environment.ts";
export { type ImportedCredential, readCredentials } from "./credentials/import.ts";
export { oauthProviders } from "./credentials/oauth/built-in.ts";
export { listenForCallback } from "./credentials/oauth/callback.ts";
export { type LoginOptions, login } from "./credentials/oauth/login.ts";
export {
  type LoginMethod,
  type LoginResult,
  type LoginUi,
  loginMethods,
  type OAuthProvider,
} from "./credentials/oauth/oauth-provider.ts";
export { redact, rememberSecret, resolvedSecrets, withoutSecrets } from "./credentials/redaction.ts";
export type { CredentialStore } from "./credentials/store/store.ts";
export { CredentialError, type CredentialRow } from "./credentials/stored-credential.ts";
export * from "./messages.ts";
export * from "./model.ts";
export { once } from "./once.ts";
export * from "./profiles/profiles.ts";
export * from "./registry/listing.ts";
export * from "./registry/open.ts";
export * from "./registry/registry.ts";
export * from "./registry-port.ts";
export * from "./stream.ts";
export * from "./thinking-levels.ts";
export { detectCompat, type ResolvedCompat } from "./transports/shaping/compat.ts";
export { streamModel } from "./transports/stream-model.ts";
