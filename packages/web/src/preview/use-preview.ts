import type { Preview } from "@gantry/protocol";
import { useEffect, useState } from "react";
import { useCell, useCellPart } from "../store/cell.ts";
import { client } from "../store/connection/client.ts";
import { connection } from "../store/connection/connection.ts";
import { toastError } from "../store/toasts.ts";
import { asTarget, sameServer } from "./address.ts";
import { previewTargets, setPreviewTarget } from "./preview-memory.ts";

/**
 * The preview that a session looks at. It is opened when the panel is, and again when the daemon, with which previews end,
 * has been away.
 */
export function usePreview(session: string) {
  const target = useCellPart(previewTargets, (targets) => targets[session]);
  const online = useCell(connection).state === "online";
  const [preview, setPreview] = useState<Preview>();
  useEffect(() => {
    if (target === undefined || !online) return;
    let wanted = true;
    ensurePreview(session, target).then(
      (next) => wanted && setPreview((last) => (last?.origin === next.origin ? last : next)),
      (error: unknown) => {
        if (!wanted) return;
        toastError(error);
        setPreviewTarget(session, undefined);
      },
    );
    return () => {
      wanted = false;
    };
  }, [session, target, online]);
  const end = () => {
    if (preview) client.previews.close(preview.id).catch(toastError);
    setPreview(undefined);
    setPreviewTarget(session, undefined);
  };
  return { preview: target === undefined ? undefined : preview, opening: target !== undefined && !preview, end };
}

/** The session's preview of a dev server, opened only if there is none yet. */
async function ensurePreview(session: string, target: string): Promise<Preview> {
  const open = await client.previews.list();
  const known = open.find((one) => one.session === session && sameServer(one.target, target));
  return known ?? client.previews.open({ url: target, session });
}

/** Opens what a person typed in place of what the session looked at before. Throws `GantryError`. */
export async function showTarget(session: string, typed: string): Promise<void> {
  const before = (await client.previews.list()).filter((one) => one.session === session);
  const { target } = await client.previews.open({ ...asTarget(typed), session });
  await Promise.all(before.map(({ id }) => client.previews.close(id)));
  setPreviewTarget(session, target);
}
