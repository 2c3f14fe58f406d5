import type { Preview } from "@gantry/protocol";
import { useEffect, useState } from "react";
import { useCell } from "../store/cell.ts";
import { client } from "../store/connection/client.ts";
import { connection } from "../store/connection/connection.ts";
import { toastError } from "../store/toasts.ts";
import { isSameServer, parseTarget, pathOf } from "./address.ts";
import { removePreview, showPreview } from "./preview-state.ts";

/**
 * The preview of one dev server of a session. It is opened with its tab, and again after a daemon restart, because
 * previews end with the daemon.
 */
export function usePreview(session: string, target: string) {
  const online = useCell(connection).state === "online";
  const [preview, setPreview] = useState<Preview>();
  useEffect(() => {
    if (!online) return;
    let mounted = true;
    ensurePreview(session, target).then(
      (next) => mounted && setPreview((last) => (last?.origin === next.origin && last.target === target ? last : next)),
      (error: unknown) => {
        if (!mounted) return;
        toastError(error);
        removePreview(session, target);
      },
    );
    return () => {
      mounted = false;
    };
  }, [session, target, online]);
  const end = () => {
    if (preview) client.previews.close(preview.id).catch(toastError);
    removePreview(session, target);
  };
  return { preview, end };
}

/** The session's preview of a dev server at a path. Opens one if there is none. */
async function ensurePreview(session: string, target: string): Promise<Preview> {
  const open = await client.previews.list();
  const known = open.find((one) => one.session === session && isSameServer(one.target, target));
  if (!known) return client.previews.open({ url: target, session });
  return { ...known, target, url: (await client.previews.ticket(known.id, { path: pathOf(target) })).url };
}

/** Shows the typed dev server in a tab of the session's previews. Throws `GantryError` if it cannot be shown. */
export async function showTarget(session: string, typed: string): Promise<void> {
  const parsed = parseTarget(typed);
  const open = (await client.previews.list()).filter((one) => one.session === session);
  const known = parsed.url && open.find((one) => isSameServer(one.target, parsed.url ?? ""));
  const target = known ? parsed.url : (await client.previews.open({ ...parsed, session })).target;
  if (target) showPreview(session, target);
}
