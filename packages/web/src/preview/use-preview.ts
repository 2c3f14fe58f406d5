import type { Preview } from "@gantry/protocol";
import { useEffect, useState } from "react";
import { useCell, useCellPart } from "../store/cell.ts";
import { client } from "../store/connection/client.ts";
import { connection } from "../store/connection/connection.ts";
import { toastError } from "../store/toasts.ts";
import { isSameServer, parseTarget } from "./address.ts";
import { previewTargets, setPreviewTarget } from "./preview-state.ts";

/**
 * The preview of a session. It is opened with the panel, and again after a daemon restart, because previews end with the
 * daemon.
 */
export function usePreview(session: string) {
  const target = useCellPart(previewTargets, (targets) => targets[session]);
  const online = useCell(connection).state === "online";
  const [preview, setPreview] = useState<Preview>();
  useEffect(() => {
    if (target === undefined || !online) return;
    let mounted = true;
    ensurePreview(session, target).then(
      (next) => mounted && setPreview((last) => (last?.origin === next.origin ? last : next)),
      (error: unknown) => {
        if (!mounted) return;
        toastError(error);
        setPreviewTarget(session, undefined);
      },
    );
    return () => {
      mounted = false;
    };
  }, [session, target, online]);
  const end = () => {
    if (preview) client.previews.close(preview.id).catch(toastError);
    setPreview(undefined);
    setPreviewTarget(session, undefined);
  };
  return { preview: target === undefined ? undefined : preview, opening: target !== undefined && !preview, end };
}

/** The session's preview of a dev server. Opens one if there is none. */
async function ensurePreview(session: string, target: string): Promise<Preview> {
  const open = await client.previews.list();
  const known = open.find((one) => one.session === session && isSameServer(one.target, target));
  if (!known) return client.previews.open({ url: target, session });
  return { ...known, url: (await client.previews.ticket(known.id)).url };
}

/** Replaces the session's preview by one of the typed dev server. Throws `GantryError`. */
export async function showTarget(session: string, typed: string): Promise<void> {
  const before = (await client.previews.list()).filter((one) => one.session === session);
  const { target } = await client.previews.open({ ...parseTarget(typed), session });
  await Promise.all(before.map(({ id }) => client.previews.close(id)));
  setPreviewTarget(session, target);
}
