import { HOME_CREDENTIAL_PATTERN, isMachineCredential } from "@gantry/models/credential-paths";

export { credentialPaths, HOME_CREDENTIALS, isCredential, MACHINE_CREDENTIALS } from "@gantry/models/credential-paths";

const ANYWHERE = new RegExp(`(?:^|/)(?:${HOME_CREDENTIAL_PATTERN})(?:/|$)`, "i");

/** Names that suggest credentials wherever the file lies. */
const NAMED =
  /(^|\/)(\.env(\.[\w.-]+)?|\.envrc|id_(rsa|dsa|ecdsa|ed25519)|[^/]*credentials?(\.\w+)?|[^/]*\.(pem|p12|pfx|keystore|jks|kdbx|ppk)|secrets?\.(ya?ml|json|toml)|shadow|agent\.db|auth\.json|\.vault_pass(\.txt)?|service[-_]account[^/]*\.json)$/i;
const HARMLESS = /\.env\.(example|sample|template|dist|defaults)$/i;

/** Whether the path's name suggests that the file holds credentials, in any folder. */
export function isSecretPath(path: string): boolean {
  if (ANYWHERE.test(path) || isMachineCredential(path)) return true;
  return NAMED.test(path) && !HARMLESS.test(path);
}
