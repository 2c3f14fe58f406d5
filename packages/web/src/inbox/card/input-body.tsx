import type { InputRequest } from "@gantry/protocol";
import { lazy, Suspense } from "react";
import { LoginOffer } from "./login-offer.tsx";

const Markdown = lazy(async () => ({ default: (await import("../../transcript/markdown/markdown.tsx")).Markdown }));
const DiffView = lazy(async () => ({ default: (await import("../../diff/diff-view.tsx")).DiffView }));

/** What would be done, in full: the command, the diff, the plan or the tool's input. */
export function InputBody({ input }: { input: InputRequest }) {
  const { detail, tool, diff, offer } = input;
  const hasDiff = diff !== undefined && diff.length > 0;
  const rest = tool && tool.command === undefined && !hasDiff ? tool.input : undefined;
  return (
    <>
      {detail && <Detail text={detail} plan={input.kind === "plan"} />}
      {tool?.command !== undefined && <Code prompt>{tool.command}</Code>}
      {hasDiff && (
        <div className="px-3 pb-2.5">
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

/** A plan is written in Markdown; everything else is words as they came. */
function Detail({ text, plan }: { text: string; plan: boolean }) {
  const plain = <p className="max-w-prose px-3 pb-2 break-words whitespace-pre-wrap text-soft">{text}</p>;
  if (!plan) return plain;
  return (
    <Suspense fallback={plain}>
      <div className="max-w-prose px-3 pb-2">
        <Markdown text={text} />
      </div>
    </Suspense>
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
