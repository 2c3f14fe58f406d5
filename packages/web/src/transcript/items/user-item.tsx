import { type Attachment, cutText, type DeliveryState, plainText } from "@gantry/protocol";
import { FileText } from "lucide-react";
import { useState } from "react";
import { Badge, type Tone } from "../../ui/display/badge.tsx";
import { ExactText } from "../../ui/text/exact-text.tsx";
import { Markdown } from "../markdown/markdown.tsx";
import { SessionImage } from "../output/session-image.tsx";
import type { UserRow } from "../rows/row.ts";
import { useTranscript } from "../view/context.ts";
import { RowLine } from "./row-line.tsx";
import { RowTime } from "./row-time.tsx";
import { RetryButton } from "./turn/retry-button.tsx";

const MAX_CHARS = 6000;

/** Badges for messages that have not arrived. */
const states: Partial<Record<DeliveryState, [tone: Tone, text: string]>> = {
  queued: ["neutral", "Queued"],
  sent: ["neutral", "Sending"],
  inline: ["accent", "Steered"],
  cancelled: ["neutral", "Cancelled"],
  failed: ["bad", "Not delivered"],
};

/** A message to the agent from the user, or a folded card for one that was generated: a brief, a schedule, another session. */
export function UserItem({ row, open }: { row: UserRow; open: boolean }) {
  return row.author === "user" ? <OwnMessage row={row} /> : <GeneratedMessage row={row} open={open} />;
}

function OwnMessage({ row }: { row: UserRow }) {
  const [whole, setWhole] = useState(false);
  const text = whole || row.text.length <= MAX_CHARS ? row.text : `${row.text.slice(0, MAX_CHARS)}…`;
  const state = row.delivery && states[row.delivery];
  return (
    <div className="my-2 rounded-lg border border-line bg-page px-3 py-2">
      <div className="transcript-text text-base wrap-break-word whitespace-pre-wrap" dir="auto">
        <ExactText text={text} />
        {row.text.length > MAX_CHARS && (
          <button type="button" onClick={() => setWhole(!whole)} className="ml-1 text-sm text-accent hover:underline">
            {whole ? "Show less" : `Show all ${row.text.length.toLocaleString("en")} characters`}
          </button>
        )}
      </div>
      {row.attachments.length > 0 && <Attachments attachments={row.attachments} />}
      <div className="mt-1 flex items-center gap-2 text-2xs text-faint">
        <RowTime row={row} />
        {state && <Badge tone={state[0]}>{state[1]}</Badge>}
        {row.edited && <span>edited</span>}
        {row.reason && <span>{row.reason}</span>}
        {row.delivery === "failed" && <RetryButton messages={[row.message]} />}
      </div>
    </div>
  );
}

/** A generated message: one line, its text as Markdown when it is open. */
function GeneratedMessage({ row, open }: { row: UserRow; open: boolean }) {
  const state = row.delivery && states[row.delivery];
  return (
    <div className="my-2 rounded-lg border border-line px-3 py-1.5">
      <RowLine
        rowKey={row.key}
        icon={<FileText size={13} />}
        open={open}
        end={
          <>
            {state && <Badge tone={state[0]}>{state[1]}</Badge>}
            <RowTime row={row} />
          </>
        }
      >
        <span className="text-ink">{sourceOf(row.author)}</span>{" "}
        <span className="text-faint">{cutText(plainText(row.text.slice(0, 600)), 160)}</span>
      </RowLine>
      {open && (
        <div className="transcript-text mt-1.5 ml-6">
          <Markdown text={row.text.slice(0, 60_000)} />
          {row.attachments.length > 0 && <Attachments attachments={row.attachments} />}
        </div>
      )}
    </div>
  );
}

function sourceOf(author: string): string {
  if (author === "gantry") return "Message from Gantry";
  if (author.startsWith("schedule:")) return "Scheduled message";
  return author.startsWith("session:") ? "Message from another session" : `Message from ${author}`;
}

function Attachments({ attachments }: { attachments: readonly Attachment[] }) {
  return (
    <ul className="mt-2 flex flex-wrap gap-2">
      {attachments.map((attachment, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the attachments of a message have no ids.
        <li key={index}>
          <AttachmentView attachment={attachment} />
        </li>
      ))}
    </ul>
  );
}

const IMAGE = /^image\/(png|jpeg|gif|webp|avif)$/;

function AttachmentView({ attachment: { path, name, mime, data } }: { attachment: Attachment }) {
  const { session } = useTranscript();
  const label = name ?? path?.split("/").at(-1) ?? "attachment";
  if (mime && IMAGE.test(mime)) {
    const className = "max-h-48 rounded-md border border-line";
    if (data) return <img src={`data:${mime};base64,${data}`} alt={label} className={className} />;
    if (path) return <SessionImage session={session} path={path} alt={label} className={className} />;
  }
  return (
    <span
      className="inline-flex items-center gap-1 rounded border border-line bg-surface px-1.5 py-0.5 text-xs text-soft"
      title={path}
    >
      <FileText size={12} aria-hidden="true" />
      <ExactText text={label} />
    </span>
  );
}
