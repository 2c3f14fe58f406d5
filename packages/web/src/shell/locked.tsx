import { Empty } from "../ui/display/empty.tsx";

/** A page without a valid credential. */
export function Locked() {
  return (
    <main className="grid h-full place-items-center">
      <Empty title="This page needs a ticket">
        <p>
          Tickets are good for one use. Run <code className="font-mono text-ink">gantry web</code> in a terminal of this
          machine and open the address that it prints. Your sessions are untouched.
        </p>
      </Empty>
    </main>
  );
}
