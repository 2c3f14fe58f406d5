/** Where a person writes to the agent of a session. */
export function Composer({ session }: { session: string }) {
  return <form data-session={session} />;
}
