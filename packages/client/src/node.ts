export { type DaemonFile, discover } from "./connect/discover.ts";
export { fetchJson } from "./fetch-json.ts";
