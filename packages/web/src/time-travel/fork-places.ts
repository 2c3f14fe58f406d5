import type { TurnRow } from "@gantry/protocol";

/** A point where a fork can start: `value` is an event of its turn. */
export type ForkPlace = { value: string; label: string };

/**
 * Where a fork from an event can start: after the turn that contains it, if that has ended, and after the turn before. Only
 * the last ended turn is offered for an event between turns.
 */
export function forkPlaces(turns: readonly TurnRow[], seq: number): ForkPlace[] {
  const index = turns.findLastIndex((turn) => turn.seq <= seq);
  const turn = turns[index];
  if (!turn) return [];
  const isInside = turn.endSeq === undefined || seq < turn.endSeq;
  const before = isInside ? turns[index - 1] : undefined;
  return [
    ...(turn.endSeq === undefined
      ? []
      : [
          {
            value: String(turn.endSeq),
            label: isInside ? `After turn ${index + 1}, which contains this event` : `After turn ${index + 1}`,
          },
        ]),
    ...(before?.endSeq === undefined ? [] : [{ value: String(before.endSeq), label: `After turn ${index}` }]),
  ];
}

/** The first event of the turn `step` turns away, or an end of the log. */
export function seqOfTurn(turns: readonly TurnRow[], seq: number, step: 1 | -1, end: number): number {
  if (step > 0) return turns.find((turn) => turn.seq > seq)?.seq ?? end;
  return turns.findLast((turn) => turn.seq < seq)?.seq ?? 1;
}
