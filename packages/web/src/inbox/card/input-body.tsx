import type { InputRequest } from "@gantry/protocol";
import { lazyView } from "../../ui/load/lazy-view.tsx";
import { LoginCommand } from "./login-command.tsx";

const Markdown = lazyView(
  async () => ({ default: (await import("../../transcript/markdown/markdown.tsx")).Markdown }),
  ({ text }) => <p className="wrap-break-word whitespace-pre-wrap text-soft">{text}</p>,
);
const DiffView = lazyView(
  async () => ({ default: (await import("../../diff/diff-view.tsx")).DiffView }),
  ({ changes }) => <Code>{changes.map((change) => change.path).join("\n")}</Code>,
);

/** The requested action in full: the command, the diff, the plan or the tool's input. */
export function InputBody({ input }: { input: InputRequest }) {
  const { detail, tool, diff, offer, questions } = input;
  const hasDiff = diff !== undefined && diff.length > 0;
  // The input of a tool that asks is its questions, which are shown as such.
  const isShown = tool?.command !== undefined || hasDiff || questions.length > 0;
  const rest = isShown || isEmpty(tool?.input) ? undefined : tool?.input;
  return (
    <>
      {input.kind === "plan" && !detail && <Detail text="The agent did not send the text of the plan." plan={false} />}
      {detail && <Detail text={detail} plan={input.kind === "plan"} />}
      {tool?.command !== undefined && <Code prompt>{tool.command}</Code>}
      {hasDiff && (
        <div className="px-3 pb-2.5">
          <DiffView changes={diff} />
        </div>
      )}
      {rest !== undefined && <Code>{JSON.stringify(rest, null, 2)}</Code>}
      {offer && <LoginCommand offer={offer} />}
    </>
  );
}

function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

/** A plan is rendered as Markdown, everything else as plain text. */
function Detail({ text, plan }: { text: string; plan: boolean }) {
  return (
    <div className="max-w-prose px-3 pb-2">
      {plan ? <Markdown text={text} /> : <p className="wrap-break-word whitespace-pre-wrap text-soft">{text}</p>}
    </div>
  );
}

function Code({ children, prompt }: { children: string; prompt?: boolean }) {
  return (
    <pre className="max-h-96 overflow-auto border-t border-line bg-sunken px-3 py-2 font-mono text-xs wrap-break-word whitespace-pre-wrap">
      {prompt && (
        <span aria-hidden="true" className="text-faint select-none">
          ${" "}
        </span>
      )}
      {children}
    </pre>
  );
}
