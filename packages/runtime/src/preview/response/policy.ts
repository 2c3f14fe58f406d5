/** What a document under a target's policy needs so that the inspector runs and the page may show it. */
export type Loosening = {
  /** Where the inspector's scripts are, with a slash at the end. */
  scripts: string;
  /** The nonce of the inspector's tag. */
  nonce: string;
  /** Origins that may show the document in a frame. */
  ancestors: readonly string[];
};

type Directive = { name: string; sources: string[] };

/**
 * Adapts a target's Content-Security-Policy for a preview: allows the inspector's scripts in addition, and removes
 * `frame-ancestors`. `header` may hold several policies. Pure.
 */
export function loosenPolicy(header: string, loosening: Loosening): string {
  return header
    .split(",")
    .map((policy) => loosenOne(policy, loosening))
    .filter((policy) => policy !== "")
    .join(", ");
}

/** The only policy that a preview adds. */
export function framePolicy(ancestors: readonly string[]): string {
  return `frame-ancestors ${ancestors.join(" ") || "'none'"}`;
}

function loosenOne(policy: string, loosening: Loosening): string {
  const directives = policy
    .split(";")
    .map(parseDirective)
    .filter(({ name }) => name !== "" && name !== "frame-ancestors");
  const findDirective = (name: string) => directives.find((directive) => directive.name === name);
  const scripts = findDirective("script-src-elem") ?? findDirective("script-src");
  const fallback = findDirective("default-src");
  if (scripts) scripts.sources = allow(scripts.sources, loosening);
  // Scripts that default-src governed get a separate rule, so that nothing else is loosened.
  else if (fallback) directives.push({ name: "script-src", sources: allow(fallback.sources, loosening) });
  return directives.map(({ name, sources }) => [name, ...sources].join(" ")).join("; ");
}

function parseDirective(text: string): Directive {
  const [name = "", ...sources] = text.trim().split(/\s+/);
  return { name: name.toLowerCase(), sources };
}

/**
 * Uses the nonce if the policy has nonces or hashes, otherwise the URL: a nonce disables `'unsafe-inline'`, and
 * `'strict-dynamic'` ignores URLs.
 */
function allow(sources: readonly string[], { scripts, nonce }: Loosening): string[] {
  const sourcesLeft = sources.filter((source) => source.toLowerCase() !== "'none'");
  const strict = sourcesLeft.some((source) => /^'(strict-dynamic|nonce-|sha\d+-)/i.test(source));
  return [...sourcesLeft, ...(strict ? [`'nonce-${nonce}'`] : []), scripts];
}
