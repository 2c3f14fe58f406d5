import type { InputRequest } from "@gantry/protocol";
import { lazy, Suspense } from "react";
import { LoginOffer } from "./login-offer.tsx";

const DiffView = lazy(async () => ({ default: (await import("../diff/diff-view.tsx")).DiffView }));

/** What would be done, in full: the command, the diff, the plan or the tool's input. */
export function InputBody({ input }: { input: InputRequest }) {
  const { detail, tool, diff, offer } = input;
  const hasDiff = diff !== undefined && diff.length > 0;
  const rest = tool && tool.command === undefined && !hasDiff ? tool.input : undefined;
  return (
    <>
      {detail && <p className="max-w-prose px-3 pb-2 break-words whitespace-pre-wrap text-soft">{detail}</p>}
      {tool?.command !== undefined && <Code prompt>{tool.command}</Code>}
      {hasDiff && (
        <div className="border-t border-line">
          <Suspense fallback={<Code>{diff.map((change) => change.path).join("\n")}</Code>}>
            <DiffView changes={diff} />
          </Suspense>
        </div>
      )}
      {rest !== undefined && <Code>{JSON.stringify(rest, null, 2)}</Code>}
      {offer && <LoginOffer offer={offer} />}
    </>
  );
}

function Code({ children, prompt }: { children: string; prompt?: boolean }) {
  return (
    <pre className="max-h-96 overflow-auto border-t border-line bg-sunken px-3 py-2 font-mono text-xs break-words whitespace-pre-wrap">
      {prompt && (
        <span aria-hidden="true" className="text-faint select-none">
          ${" "}
        </span>
      )}
      {children}
    </pre>
  );
}
