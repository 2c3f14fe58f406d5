import { Empty } from "../ui/display/empty.tsx";

/** Shown when the page has no valid credential. */
export function Locked() {
  return (
    <main className="grid h-full place-items-center">
      <Empty title="Log in to Gantry">
        <p>
          This page has no valid login. Run <code className="font-mono text-ink">gantry web</code> in a terminal on this
          machine and open the printed address. Each address works once. Your sessions are not affected.
        </p>
      </Empty>
    </main>
  );
}
