/** Everything that was said and done in a session, the newest at the end. */
export function Transcript({ session }: { session: string }) {
  return <div role="log" aria-label="Transcript" data-session={session} className="grow overflow-auto" />;
}
