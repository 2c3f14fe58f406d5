import { MessageCircleQuestion } from "lucide-react";
import { InputCard } from "../../inbox/input-card.tsx";
import type { InputRow } from "../rows/row.ts";
import { Line } from "./line.tsx";

/** Something that was asked of a person, where it was asked. */
export function InputItem({ row }: { row: InputRow }) {
  if (row.request)
    return (
      <div className="my-2">
        <InputCard input={row.request} resolution={row.resolution} />
      </div>
    );
  return (
    <Line rowKey={row.key} icon={<MessageCircleQuestion size={13} />}>
      Answered: {row.resolution?.decision.replace("_", " ")} by {row.resolution?.by}
    </Line>
  );
}
