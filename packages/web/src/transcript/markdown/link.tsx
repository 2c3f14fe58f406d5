import { AppWindow } from "lucide-react";
import type { ReactNode } from "react";
import { useSessionHere } from "../view/context.ts";
import { safeUrl } from "./safe-url.ts";

/** A link that someone else wrote: followed only where that does no harm, and shown for what it is where not. */
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

/** A server on this machine, opened in the preview beside the transcript. */
function LocalLink({ href, label }: { href: string; label: string }) {
  const session = useSessionHere();
  const open = () => dispatchEvent(new CustomEvent("gantry:preview", { detail: { session, url: href } }));
  return (
    <button
      type="button"
      onClick={open}
      title={`Open the preview of ${href}`}
      className="inline-flex items-center gap-1 rounded border border-line bg-accent-wash px-1.5 align-baseline font-sans text-xs font-medium text-accent hover:border-accent"
    >
      <AppWindow size={11} aria-hidden="true" />
      {label}
    </button>
  );
}
