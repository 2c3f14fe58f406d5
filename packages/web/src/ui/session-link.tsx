import type { ComponentProps, MouseEvent } from "react";
import { navigate } from "wouter/use-browser-location";

type SessionLinkProps = Omit<ComponentProps<"a">, "href"> & { id: string; seq?: number };

/**
 * A link to a session, or to an event of it. Unlike the router's own it does not listen to the address: five hundred of
 * them cost nothing when it changes.
 */
export function SessionLink({ id, seq, onClick, children, ...more }: SessionLinkProps) {
  const href = seq === undefined ? `/s/${id}` : `/s/${id}#${seq}`;
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    const elsewhere = event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.button !== 0;
    if (event.defaultPrevented || elsewhere) return;
    event.preventDefault();
    navigate(href);
  };
  return (
    <a href={href} onClick={follow} {...more}>
      {children}
    </a>
  );
}
