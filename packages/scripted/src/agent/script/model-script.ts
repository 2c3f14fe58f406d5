import { lastMarker } from "../../marker.ts";
import { failures } from "../../model/failures.ts";
import { scriptOf } from "../../model/scenarios.ts";
import type { Block, Mishap, Script } from "../../model/script.ts";
import { pieces } from "../../pieces.ts";
import type { Step, ToolStep } from "./step.ts";

const TOGETHER = new Set(["write", "edit", "read", "bash"]);

/**
 * The steps of an agent that plays the scripts of the scripted model: the same text, tools and failures. A prompt without
 * a marker plays `[[text]]`.
 */
export function modelSteps(prompt: string): Step[] {
  const script = scriptOf(lastMarker(prompt) ?? { name: "text", args: [] });
  return script.mishap && !script.mishap.once ? mishapSteps(script, script.mishap) : script.replies.flatMap(replySteps);
}

/** Tools of one reply are called together. */
function replySteps(blocks: readonly Block[]): Step[] {
  const steps: Step[] = [];
  for (const block of blocks) {
    const step = stepOf(block);
    const last = steps.at(-1);
    if (!TOGETHER.has(block.type) || !last) steps.push(step);
    else if (last.do === "together") last.steps.push(step as ToolStep);
    else if (isTool(last)) steps.splice(-1, 1, { do: "together", steps: [last, step as ToolStep] });
    else steps.push(step);
  }
  return steps;
}

function isTool(step: Step): step is ToolStep {
  return ["write", "edit", "read", "run"].includes(step.do);
}

function stepOf(block: Block): Step {
  switch (block.type) {
    case "think":
      return { do: "think", text: block.text };
    case "text":
      return {
        do: "message",
        text: block.text,
        size: block.size,
        delay: block.delay === "slow" ? undefined : block.delay,
      };
    case "write":
      return { do: "write", path: block.file, content: block.content };
    case "edit":
      return { do: "edit", path: block.file, before: block.before, after: block.after };
    case "read":
      return { do: "read", path: block.file };
    case "bash":
      return { do: "run", command: block.command };
    case "call":
      return callStep(block.names);
    case "served":
      return { do: "message", text: `(tool ${block.name} not offered)` };
    case "badcall":
      return { do: "message", text: "(a call with broken arguments)" };
  }
}

/** The step for a call of a tool with one of these names. */
function callStep(names: readonly string[]): Step {
  if (names.includes("AskUserQuestion")) {
    const options = [
      { label: "Red", description: "warm" },
      { label: "Blue", description: "cold" },
    ];
    return { do: "ask", questions: [{ id: "q1", header: "Colour", text: "Which colour?", options }] };
  }
  if (names.includes("ExitPlanMode")) return { do: "propose", plan: "1. do it\n2. done" };
  if (names.includes("Agent"))
    return { do: "delegate", title: "sub work", prompt: "sub task", report: "Nothing wrong." };
  if (!names.includes("TodoWrite")) return { do: "message", text: `(tool ${names[0]} not offered)` };
  const entries = [
    { text: "step A", status: "in_progress" as const },
    { text: "step B", status: "pending" as const },
  ];
  return { do: "plan", entries };
}

/** The steps for a mishap of the provider, instead of a reply or in the middle of one. */
function mishapSteps(script: Script, mishap: Mishap): Step[] {
  if (mishap.type === "failure" || mishap.type === "stream-failure") {
    const { status, openai } = failures[mishap.failure];
    return [{ do: "fail", category: mishap.failure, message: openai.message, status }];
  }
  const [first] = script.replies[0] ?? [];
  const begun = first?.type === "text" ? pieces(first.text, 12).slice(0, 2).join("") : "";
  const started: Step[] = mishap.type === "hang" || !begun ? [] : [{ do: "begin", text: begun }];
  if (mishap.type === "hang" || mishap.type === "stall") return [...started, { do: "hang" }];
  return [...started, { do: "fail", category: "network", message: "The connection was closed.", status: 0 }];
}
