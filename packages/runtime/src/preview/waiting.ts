import type { HeaderLines } from "./response/headers.ts";
import { framePolicy } from "./response/policy.ts";

const STYLE = `
  :root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
  body { margin: 0; min-height: 100vh; display: grid; place-content: center; padding: 24px; box-sizing: border-box; }
  main { max-width: 30rem; }
  h1 { font-size: 1.15rem; margin: 0 0 .5rem; }
  p { margin: .5rem 0; opacity: .8; }
  code { font-family: ui-monospace, monospace; }
`;

export type Waiting = {
  /** The address that does not answer. */
  address: string;
  reason: "refused" | "silent";
  /** The path that reports whether the target is up. */
  upPath: string;
  /** The inspector's tag, if there is one. */
  tag: string;
  nonce: string;
  ancestors: readonly string[];
};

/** The page for a dev server that does not respond. It reloads and shows the target as soon as that responds. */
export function waitingPage(waiting: Waiting): { html: string; headers: HeaderLines } {
  const { address, reason, tag, nonce } = waiting;
  const [title, text] =
    reason === "refused"
      ? ["Nothing answers here yet", "Start the dev server, or choose another address."]
      : ["The dev server does not respond", "It accepted the request and sent nothing for five minutes."];
  const html = `<!doctype html>
<html lang="en">
<head>${tag}<meta charset="utf-8"><title>${title}</title><style nonce="${nonce}">${STYLE}</style></head>
<body><main role="status">
<h1>${title}</h1>
<p><code>${escapeHtml(address)}</code></p>
<p>${text} This page retries every second and continues automatically.</p>
</main><script nonce="${nonce}">${retry(waiting)}</script></body>
</html>
`;
  const policy = `default-src 'none'; script-src 'self' 'nonce-${nonce}'; style-src 'nonce-${nonce}'; connect-src 'self'`;
  const headers = {
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    "content-security-policy": [policy, framePolicy(waiting.ancestors)],
  };
  return { html, headers };
}

/** A target that is up but did not respond is not retried immediately, because that would add to its load. */
function retry({ upPath, reason }: Waiting): string {
  const firstMs = reason === "silent" ? 30_000 : 1000;
  return `const look = () => fetch(${JSON.stringify(upPath)}, { cache: "no-store" })
  .then(({ ok }) => ok ? location.reload() : setTimeout(look, 1000), () => setTimeout(look, 1000));
setTimeout(look, ${firstMs});`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);
}
