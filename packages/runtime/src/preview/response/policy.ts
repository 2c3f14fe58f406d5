/** What a document under a target's policy needs so that the inspector runs and the page may show it. */
export type Loosening = {
  /** Where the inspector's scripts are, with a slash at the end. */
  scripts: string;
  /** Stands on the inspector's tag. */
  nonce: string;
  /** Origins that may show the document in a frame. */
  ancestors: readonly string[];
};

type Directive = { name: string; sources: string[] };

/**
 * A target's Content-Security-Policy, as it may stand in a preview: the inspector's scripts are allowed besides what was,
 * and who may frame the document is no longer the target's to say. `header` may hold several policies. Pure.
 */
export function loosenPolicy(header: string, loosening: Loosening): string {
  return header
    .split(",")
    .map((policy) => loosenOne(policy, loosening))
    .filter((policy) => policy !== "")
    .join(", ");
}

/** The only policy that a preview adds by itself. */
export function framePolicy(ancestors: readonly string[]): string {
  return `frame-ancestors ${ancestors.join(" ") || "'none'"}`;
}

function loosenOne(policy: string, loosening: Loosening): string {
  const directives = policy
    .split(";")
    .map(parseDirective)
    .filter(({ name }) => name !== "" && name !== "frame-ancestors");
  const named = (name: string) => directives.find((directive) => directive.name === name);
  const scripts = named("script-src-elem") ?? named("script-src");
  const fallback = named("default-src");
  if (scripts) scripts.sources = allow(scripts.sources, loosening);
  // Scripts that were ruled by default-src get a rule of their own, so that nothing else is loosened.
  else if (fallback) directives.push({ name: "script-src", sources: allow(fallback.sources, loosening) });
  return directives.map(({ name, sources }) => [name, ...sources].join(" ")).join("; ");
}

function parseDirective(text: string): Directive {
  const [name = "", ...sources] = text.trim().split(/\s+/);
  return { name: name.toLowerCase(), sources };
}

/**
 * By nonce where the policy works with nonces or hashes, else by address: a nonce would switch `'unsafe-inline'` off, and
 * under `'strict-dynamic'` an address counts for nothing.
 */
function allow(sources: readonly string[], { scripts, nonce }: Loosening): string[] {
  const kept = sources.filter((source) => source.toLowerCase() !== "'none'");
  const strict = kept.some((source) => /^'(strict-dynamic|nonce-|sha\d+-)/i.test(source));
  return [...kept, ...(strict ? [`'nonce-${nonce}'`] : []), scripts];
}
