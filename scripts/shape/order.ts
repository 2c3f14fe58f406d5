/** The packages, and what each may import of the others. `testkit` is for tests: product code never imports it. */
export const PACKAGES: Record<string, readonly string[]> = {
  protocol: [],
  models: [],
  client: ["protocol"],
  scripted: [],
  testkit: ["scripted"],
  agent: ["models"],
  runtime: ["protocol", "models"],
  web: ["protocol", "client"],
  cli: ["protocol", "client", "runtime", "models", "agent", "scripted"],
};

/**
 * The top-level folders of a package in dependency order: a folder imports only from folders above it in the list. A
 * package that is listed here must list all of its folders. `runtime` starts with the data flow (framing to server) and
 * continues with the features.
 */
export const FOLDERS: Record<string, readonly string[]> = {
  runtime: [
    "framing",
    "agents",
    "process",
    "log",
    "jobs",
    "limits",
    "session",
    "lanes",
    "landing",
    "launches",
    "checkpoints",
    "hub",
    "server",
  ],
};
