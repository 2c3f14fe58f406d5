import type { ComponentProps, MouseEvent } from "react";
import { navigate } from "wouter/use-browser-location";

type SessionLinkProps = Omit<ComponentProps<"a">, "href"> & { id: string; seq?: number };

/**
 * A link to a session, or to an event of it. Unlike the router's Link it does not subscribe to the location, so five
 * hundred of them cost nothing on navigation.
 */
export function SessionLink({ id, seq, onClick, children, ...more }: SessionLinkProps) {
  const href = seq === undefined ? `/s/${id}` : `/s/${id}#${seq}`;
  const onLinkClick = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    const opensNewTab = event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.button !== 0;
    if (event.defaultPrevented || opensNewTab) return;
    event.preventDefault();
    navigate(href);
  };
  return (
    <a href={href} onClick={onLinkClick} {...more}>
      {children}
    </a>
  );
}
