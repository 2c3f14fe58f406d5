import { Composer } from "../composer/composer.tsx";
import { useSession } from "../store/hooks.ts";
import { Transcript } from "../transcript/transcript.tsx";

/** One session: what happened, and where to go on. */
export default function SessionPage({ id }: { id: string }) {
  const session = useSession(id);
  return (
    <section aria-label={session?.title ?? "Session"} className="flex min-h-0 grow flex-col">
      <Transcript session={id} />
      <Composer session={id} />
    </section>
  );
}
