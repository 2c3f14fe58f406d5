import { CircleCheck, CircleSlash } from "lucide-react";
import { InputCard } from "../../inbox/input-card.tsx";
import { resolutionText } from "../../inbox/resolution.ts";
import { ExactText } from "../../ui/text/exact-text.tsx";
import type { InputRow } from "../rows/row.ts";
import { RowLine } from "./row-line.tsx";

/** An input at its place in the transcript: the whole card while it is pending, then one line. */
export function InputItem({ row, open }: { row: InputRow; open: boolean }) {
  const { request, resolution } = row;
  if (!resolution)
    return (
      <div className="my-2">
        <InputCard input={request} />
      </div>
    );
  const allowed = resolution.decision === "allow" || resolution.decision === "allow_session";
  const Icon = allowed ? CircleCheck : CircleSlash;
  const answers = Object.values(resolution.answers ?? {})
    .flat()
    .join(", ");
  return (
    <>
      <RowLine rowKey={row.key} icon={<Icon size={13} />} open={open}>
        <span className="text-faint">
          {resolutionText(resolution)}
          {answers && ": "}
        </span>
        {answers && <ExactText text={answers.slice(0, 300)} />}
        {!answers && <span className="text-faint"> · {request.title}</span>}
      </RowLine>
      {open && (
        <div className="mt-1 mb-2 ml-6">
          <InputCard input={request} resolution={resolution} />
        </div>
      )}
    </>
  );
}
