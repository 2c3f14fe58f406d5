/** Takes out of an environment what proves to somebody who asks. */
export type EnvironmentFilter = (env: Record<string, string | undefined>) => Record<string, string | undefined>;

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
