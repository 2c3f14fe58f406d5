import type { AgentRow, Model } from "@gantry/protocol";

/** Agents that are there with those of their models that hold all words, wherever they stand. */
export function matching(rows: readonly AgentRow[], words: string): { row: AgentRow; models: readonly Model[] }[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  return rows
    .filter((row) => row.state !== "missing")
    .map((row) => ({ row, models: row.models.items.filter((model) => holds(row, model, wanted)) }))
    .filter(({ models }) => models.length > 0);
}

function holds(row: AgentRow, model: Model, wanted: readonly string[]): boolean {
  const text = `${row.name} ${model.id} ${model.name}`.toLowerCase();
  return wanted.every((word) => text.includes(word));
}
