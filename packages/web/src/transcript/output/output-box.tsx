import type { Text } from "@gantry/protocol";
import { useState } from "react";
import { client } from "../../store/connection/client.ts";
import { toastError } from "../../store/toasts.ts";
import { Preformatted } from "../../ui/display/preformatted.tsx";
import { clip } from "../../ui/text/clip.ts";
import { useTranscript } from "../view/context.ts";
import { cutNotice, hiddenLines } from "./cut-notice.ts";
import { Output } from "./output.tsx";

const CLIPPED = { lines: 12, lineLength: 2000 } as const;
/** More would block the page. */
const EXPANDED = { lines: 5000, lineLength: 10_000 } as const;

/** The end of a tool call's output; all of it on request. */
export function OutputBox({ item, output, label }: { item: string; output: Text; label: string }) {
  const { session } = useTranscript();
  const [whole, setWhole] = useState<string>();
  const text = whole ?? (typeof output === "string" ? output : output.tail);
  const clipped = clip(text, whole === undefined ? CLIPPED : EXPANDED);
  const size = typeof output === "string" ? output.length : output.size;
  const lines = hiddenLines(output, clipped, whole !== undefined);
  const isCut = lines !== 0 || clipped.characters > 0 || typeof output !== "string";
  const showAll = async () => {
    try {
      setWhole(typeof output === "string" ? output : (await client.sessions.item(session, item)).text);
    } catch (error) {
      toastError(error);
    }
  };
  return (
    <div className="overflow-hidden rounded-md border border-line bg-sunken">
      {isCut && (
        <CutBar
          text={cutNotice({ lines, characters: clipped.characters, size, whole: whole !== undefined })}
          action={whole === undefined ? "Show all" : "Show less"}
          onAction={() => (whole === undefined ? void showAll() : setWhole(undefined))}
        />
      )}
      <Preformatted label={label} className="max-h-96 px-3 py-2">
        <Output text={clipped.text} />
      </Preformatted>
    </div>
  );
}

function CutBar({ text, action, onAction }: { text: string; action: string; onAction: () => void }) {
  return (
    <div className="flex items-center gap-2 border-b border-line px-3 py-0.5 text-2xs text-faint">
      <span className="grow">{text}</span>
      <button type="button" onClick={onAction} className="font-medium text-accent hover:underline">
        {action}
      </button>
    </div>
  );
}
