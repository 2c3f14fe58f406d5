import type { Preview } from "@gantry/protocol";
import { useRef, useState } from "react";
import { useShortcuts } from "../shell/shortcuts.ts";
import { useCell } from "../store/cell.ts";
import { client } from "../store/connection/client.ts";
import { newId, sendMessage } from "../store/outgoing/outbox.ts";
import { toastError } from "../store/toasts.ts";
import { isSameServer, parsePath, pathOf } from "./address.ts";
import { PreviewBar } from "./preview-bar.tsx";
import { elementContext, errorsContext, fixRequest, type PreviewContext } from "./preview-context.ts";
import { DEVICES, previewLayout } from "./preview-state.ts";
import { ServerLog } from "./server-log.tsx";
import { useInspector } from "./use-inspector.ts";
import { useServers } from "./use-servers.ts";

type PreviewViewProps = {
  session: string;
  preview: Preview;
  /** Whether its tab is shown. */
  isShown: boolean;
  onPick: (context: PreviewContext) => void;
  onAttach: (image: File) => void;
  onEnd: () => void;
};

/**
 * Permissions of the site in its frame: run scripts in its own origin, which is never the page's, submit forms and open
 * tabs. It can neither navigate the page nor open dialogs.
 */
const SANDBOX = "allow-scripts allow-same-origin allow-forms allow-popups allow-downloads";

/** A preview in its frame, with its toolbar. */
export function PreviewView({ session, preview, isShown, onPick, onAttach, onEnd }: PreviewViewProps) {
  const { origin, target } = preview;
  const frame = useRef<HTMLIFrameElement>(null);
  // The first visit presents a ticket; after it, the preview recognises this browser.
  const [first] = useState(() => preview.url ?? origin + pathOf(target));
  const inspector = useInspector({ frame, origin, onPick: (element) => onPick(elementContext(element, target)) });
  const { logs } = useCell(previewLayout);
  const server = useServers(session, logs && isShown).find(({ url }) => isSameServer(url, target));
  const path = inspector.place?.path ?? pathOf(target);
  const visit = (to: string) => {
    if (frame.current) frame.current.src = origin + to;
  };
  const shoot = () =>
    void inspector
      .shoot()
      .then((image) => onAttach(pngFile(image, "preview.png")))
      .catch(toastError);
  const stopPicking = { keys: "escape", does: "Stop inspecting", run: () => inspector.pick(false), whileTyping: true };
  useShortcuts(inspector.picking ? [stopPicking] : []);
  return (
    <>
      <PreviewBar
        path={path}
        onOpenTab={() => void openTab(preview, path).catch(toastError)}
        inspectable={inspector.present}
        picking={inspector.picking}
        failures={inspector.failures.length}
        onVisit={(typed) => visit(parsePath(typed))}
        onGo={inspector.go}
        onReload={() => (inspector.present ? inspector.reload() : visit(path))}
        onPick={inspector.pick}
        onShoot={shoot}
        onTakeFailures={() => {
          onPick(errorsContext(inspector.failures, target));
          inspector.forgetFailures();
        }}
        onFixFailures={() => {
          const text = fixRequest(inspector.failures, target);
          void sendMessage(session, { id: newId("message"), text }).then(inspector.forgetFailures, toastError);
        }}
        onEnd={onEnd}
      />
      <Stage>
        <iframe
          ref={frame}
          title={inspector.place?.title ? `Preview: ${inspector.place.title}` : "Preview"}
          src={first}
          sandbox={SANDBOX}
          referrerPolicy="no-referrer"
          onLoad={inspector.onLoad}
          className="size-full border-0 bg-[Canvas]"
        />
      </Stage>
      {logs && isShown && <ServerLog session={session} server={server} />}
    </>
  );
}

function Stage({ children }: { children: React.ReactNode }) {
  const width = DEVICES[useCell(previewLayout).device];
  return (
    <div className="min-h-0 grow overflow-auto bg-sunken">
      <div style={{ width }} className="mx-auto h-full">
        {children}
      </div>
    </div>
  );
}

/** A tab has its own cookies, so it needs its own ticket. The tab is opened at once, or the browser would block it. */
async function openTab({ id }: Preview, path: string): Promise<void> {
  const tab = window.open("about:blank", "_blank");
  try {
    const { url } = await client.previews.ticket(id, { path });
    if (!tab) throw new Error("The browser did not open a tab. Allow pop-ups for this page.");
    tab.opener = null;
    tab.location.replace(url);
  } catch (error) {
    tab?.close();
    throw error;
  }
}

/** Converts a PNG data URL to a file. Only PNG is accepted, because it cannot contain code. Throws for anything else. */
function pngFile(image: string, name: string): File {
  const [, base64] = /^data:image\/png;base64,([A-Za-z0-9+/]+=*)$/.exec(image) ?? [];
  if (base64 === undefined) throw new Error("The site returned something that is not a PNG image.");
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  return new File([bytes], name, { type: "image/png" });
}
