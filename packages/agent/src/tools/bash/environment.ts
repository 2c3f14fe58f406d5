const SECRET_NAME =
  /(^|_)(API_?KEY|KEY|TOKEN|SECRET|SECRETS|PASSWORD|PASSWD|CREDENTIALS?|PAT|AUTH|SESSION_KEY|ACCESS_KEY_ID)$|^(AWS_|AZURE_|GOOGLE_APPLICATION_|ANTHROPIC_|OPENAI_)/i;
const HARMLESS = /^(AWS_(REGION|DEFAULT_REGION|PROFILE)|SSH_AUTH_SOCK|GPG_KEY|XAUTHORITY)$/;

/** Takes out of an environment what proves to somebody who asks. */
export type EnvironmentFilter = (env: Record<string, string | undefined>) => Record<string, string | undefined>;

/** By the names alone; whoever knows the providers' variables passes a better one. */
export const withoutLikelySecrets: EnvironmentFilter = (env) =>
  Object.fromEntries(Object.entries(env).filter(([name]) => HARMLESS.test(name) || !SECRET_NAME.test(name)));

/** What a command of the agent finds in its environment: nobody pages, nobody is asked for a password. */
export function shellEnvironment(
  env: Record<string, string | undefined>,
  filter: EnvironmentFilter,
  extra: Record<string, string>,
): Record<string, string> {
  const quiet = { PAGER: "cat", GIT_PAGER: "cat", GIT_TERMINAL_PROMPT: "0", TERM: "dumb", ...extra };
  const kept = Object.entries(filter(env)).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return { ...Object.fromEntries(kept), ...quiet };
}
