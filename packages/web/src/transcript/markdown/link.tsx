import { AppWindow } from "lucide-react";
import type { ReactNode } from "react";
import { useTranscriptSession } from "../view/context.ts";
import { safeUrl } from "./safe-url.ts";

/** A link from untrusted text. Unsafe targets are shown as text. */
export function SafeLink({ href, children }: { href: string; children?: ReactNode }) {
  const url = safeUrl(href);
  if (url.kind === "local") return <LocalLink href={url.href} label={url.label} />;
  if (url.kind === "refused")
    return (
      <span title={href} className="underline decoration-line-strong decoration-dotted">
        {children ?? href}
      </span>
    );
  return (
    <a
      href={url.href}
      target="_blank"
      rel="noreferrer noopener nofollow"
      className="text-accent underline decoration-accent/40 underline-offset-2 hover:decoration-accent"
    >
      {children ?? url.label}
    </a>
  );
}

/** A link to a server on this machine. It opens in the preview next to the transcript. */
function LocalLink({ href, label }: { href: string; label: string }) {
  const session = useTranscriptSession();
  const open = () => dispatchEvent(new CustomEvent("gantry:preview", { detail: { session, url: href } }));
  return (
    <button
      type="button"
      onClick={open}
      title={`Open ${href} in the preview`}
      className="inline-flex items-center gap-1 rounded border border-line bg-accent-wash px-1.5 align-baseline font-sans text-xs font-medium text-accent hover:border-accent"
    >
      <AppWindow size={11} aria-hidden="true" />
      {label}
    </button>
  );
}
