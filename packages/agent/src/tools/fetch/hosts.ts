import { globPattern } from "../search/glob.ts";

/** Whether a rule names the host. `*.example.org` covers its subdomains, `localhost:8080` only that port. */
export function isAllowedHost(url: URL, allow: readonly string[]): boolean {
  const hostname = url.hostname.replace(/^\[|\]$/g, "").toLowerCase();
  return allow.some((rule) => {
    const pattern = globPattern(rule.toLowerCase());
    return pattern.test(hostname) || pattern.test(url.host.toLowerCase());
  });
}
