// Loaded only when a user logs in or a login has expired: import it dynamically.
export { oauthProviders } from "./built-in.ts";
export { listenForCallback } from "./callback.ts";
export { login } from "./login.ts";
export {
  type LoginMethod,
  type LoginUi,
  loginMethods,
  type OAuthProvider,
} from "./oauth-provider.ts";
export { refreshWith } from "./tokens.ts";
