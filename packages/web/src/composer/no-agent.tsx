import { Link } from "wouter";
import { DemoCard } from "../welcome/demo-card.tsx";

/** Shown when no agent is ready: what to do about it. */
export function NoAgent() {
  return (
    <>
      <div className="rounded-xl border border-line bg-raised p-5">
        <h2 className="text-base font-semibold">No agent is ready</h2>
        <p className="mt-1 text-soft">
          Gantry runs the coding agents installed on this machine and found none that is ready. The Agents page shows
          how to install each one and log in.
        </p>
        <p className="mt-3">
          <Link href="/agents" className="font-medium text-accent underline underline-offset-2">
            Go to Agents
          </Link>
        </p>
      </div>
      <DemoCard />
    </>
  );
}
