import { Link } from "wouter";
import { DemoCard } from "../welcome/demo-card.tsx";

/** Nobody could do the work yet: what to do about that. */
export function NoAgent() {
  return (
    <>
      <div className="rounded-xl border border-line bg-raised p-5">
        <h2 className="text-base font-semibold">No agent is ready yet</h2>
        <p className="mt-1 text-soft">
          Gantry drives the coding agents that are installed on this machine, and found none that can work. The list of
          agents says for each how it is installed and logged in.
        </p>
        <p className="mt-3">
          <Link href="/agents" className="font-medium text-accent underline underline-offset-2">
            See the agents
          </Link>
        </p>
      </div>
      <DemoCard />
    </>
  );
}
