import type { HandshakeStage } from "../contract.ts";

const RESUMING = /^(session|thread)\/(load|resume|fork)$/;

/** The oldest of our requests that the agent has not answered. */
export function pendingStage({
  pending,
}: {
  pending: Readonly<Record<string, { method: string }>>;
}): HandshakeStage | undefined {
  const [oldest] = Object.values(pending);
  if (!oldest) return undefined;
  const { method } = oldest;
  return RESUMING.test(method) ? { name: method, resumes: true } : { name: method };
}
