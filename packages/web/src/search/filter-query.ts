import type { RouteQuery } from "@gantry/protocol";

/** The filters of a search as the address has them. An empty value is no filter. */
export const filterNames = ["agent", "folder", "kind", "since", "order"] as const;
export type SearchFilters = Partial<Record<(typeof filterNames)[number], string>>;

export const kinds = [
  { value: "", label: "All text" },
  { value: "user", label: "Your messages" },
  { value: "agent", label: "Agents' messages" },
  { value: "tool", label: "Commands and output" },
  { value: "other", label: "Plans, errors and notes" },
];

/** The values are days before today. */
export const ages = [
  { value: "", label: "Any time" },
  { value: "0", label: "Today" },
  { value: "6", label: "Last 7 days" },
  { value: "29", label: "Last 30 days" },
  { value: "364", label: "Last year" },
];

export const orders = [
  { value: "", label: "Newest first" },
  { value: "relevance", label: "Best match first" },
];

/** The filters as the API takes them. Values that it would refuse are left out, because anyone can edit an address. */
export function filterQuery(filters: SearchFilters, now = new Date()): Omit<RouteQuery<"search">, "q"> {
  const { agent, folder, kind, since, order } = filters;
  const isKnown = (list: readonly { value: string }[], value: string | undefined) =>
    Boolean(value) && list.some((choice) => choice.value === value);
  return {
    ...(agent ? { agent } : {}),
    ...(folder ? { folder } : {}),
    ...(isKnown(kinds, kind) ? { kind: kind as RouteQuery<"search">["kind"] } : {}),
    ...(isKnown(ages, since) ? { since: dayBefore(now, Number(since)) } : {}),
    ...(order === "relevance" ? { order } : {}),
  };
}

/** The start of the day, some days ago, as a time: the daemon may be in another time zone. */
function dayBefore(now: Date, days: number): string {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - days).toISOString();
}
