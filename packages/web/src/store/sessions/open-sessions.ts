/** The sessions that a path shows: one for `/s/a`, several as tiles for `/s/a+b`. */
export function openSessions(path: string): string[] {
  const [, ids] = /^\/s\/([^/]+)/.exec(path) ?? [];
  return ids ? ids.split("+").filter((id) => id !== "") : [];
}
