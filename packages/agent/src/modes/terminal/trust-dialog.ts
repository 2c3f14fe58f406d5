import { homedir } from "node:os";
import { resolve } from "node:path";
import { agentFolder, gantryFolder } from "@gantry/models";
import { KeyReader, type Paint, Painter, Picker, stripControls, truncateText } from "@gantry/terminal";
import { openTrustStore, type TrustItem, type TrustStore } from "@gantry/trust";
import type { AgentOptions } from "../../start/options.ts";
import { findProjectCode } from "../../start/project/project-code.ts";
import { realPath } from "../../trust/project-paths.ts";

/** A longer list is cut, so that the choices stay on the screen. */
const MOST_LINES = 12;
/** Variables of a process that an agent has started. Only a person may decide about trust. */
const AGENT_VARIABLES = ["GANTRY_AGENT", "GANTRY_TOKEN", "GANTRY_SESSION"];

/** What a folder would run without a decision of the user. */
type OpenQuestion = { folder: string; items: TrustItem[]; store: TrustStore };

/**
 * Asks before the agent starts whether the folder's own programs may run, so that the session finds the decision. Asks only
 * if the folder supplies any that are not trusted, and not again after "Not now" until they change. The decision covers
 * exactly what was shown. Escape decides nothing.
 */
export async function askForTrust(options: AgentOptions, paint: Paint): Promise<void> {
  const question = await findQuestion(options);
  if (!question) return;
  const { folder, items, store } = question;
  const painter = new Painter(process.stdout);
  painter.paint(describe(question, paint, painter.columns - 1));
  const later = () => store.dismiss(folder, items);
  const picker = new Picker("Run them?", [
    {
      label: "Trust",
      detail: "they run when the agent needs them, until they change",
      pick: () => store.add(folder, items),
    },
    { label: "Not now", detail: "the agent works without them", pick: later },
  ]);
  // What was typed before the question appeared must not answer it with Trust.
  picker.move(1);
  const chosen = await pick(picker, painter, paint);
  await chosen?.pick();
  const decision = {
    Trust: `${folder} is trusted.`,
    "Not now": "Nothing was trusted. To trust it later, run gantry trust.",
  };
  painter.paint([paint.dim(decision[chosen?.label as keyof typeof decision] ?? "Nothing was decided."), ""]);
}

/** `undefined` where there is nothing to ask, or no person to answer. */
async function findQuestion({ env, cwd, folders = [] }: AgentOptions): Promise<OpenQuestion | undefined> {
  if (AGENT_VARIABLES.some((name) => env[name] !== undefined)) return undefined;
  const place = { home: env.HOME ?? homedir(), agentDir: agentFolder(env), gantryHome: gantryFolder(env) };
  const folder = realPath(resolve(cwd));
  const found = await findProjectCode({ cwd: resolve(cwd), folders, ...place, path: env.PATH ?? "" });
  const store = openTrustStore(place.gantryHome, place.agentDir);
  const items = found.filter((item) => !store.covers(folder, [item]));
  return items.length === 0 || store.isDismissed(folder, items) ? undefined : { folder, items, store };
}

function describe({ folder, items }: OpenQuestion, paint: Paint, width: number): string[] {
  const lines = [...new Set(items.map(({ kind, name, command }) => `  ${kind} ${name}: ${command}`))];
  const shown = lines
    .slice(0, MOST_LINES)
    .map((line) => truncateText(stripControls(line).replace(/\s*\n\s*/g, " "), width));
  const more = lines.length > MOST_LINES ? [`  … and ${lines.length - MOST_LINES} more (gantry trust --show)`] : [];
  const title = `${stripControls(folder)} supplies programs that the agent would run:`;
  return [paint.yellow(truncateText(title, width)), ...shown, ...more, ""];
}

/** Shows the choices until one is selected. `undefined`: the question was left. */
function pick(picker: Picker, painter: Painter, paint: Paint): Promise<Picker["chosen"]> {
  const { stdin } = process;
  const keys = new KeyReader();
  const draw = () => {
    const rows = picker.rows(painter.columns - 1).map(({ text, chosen }) => (chosen ? paint.bold : paint.dim)(text));
    const hint = paint.dim("↑↓ to move · enter to select · esc to decide later");
    painter.paint([], { rows: [picker.title, ...rows, hint], cursor: { row: 0, column: 0 } });
  };
  return new Promise((resolve) => {
    const onData = (input: string | Buffer) => {
      for (const key of keys.read(String(input))) {
        const chord = "chord" in key ? key.chord : "";
        if (chord === "up") picker.move(-1);
        else if (chord === "down") picker.move(1);
        else if (chord === "enter") return end(picker.chosen);
        else if (chord === "esc" || chord === "ctrl+c" || chord === "ctrl+d") return end(undefined);
      }
      draw();
    };
    const onEnd = () => end(undefined);
    const end = (chosen: Picker["chosen"]) => {
      stdin.off("data", onData);
      stdin.off("end", onEnd);
      stdin.setRawMode?.(false);
      stdin.pause();
      painter.clear();
      resolve(chosen);
    };
    stdin.setRawMode?.(true);
    stdin.setEncoding("utf8");
    stdin.on("data", onData);
    stdin.once("end", onEnd);
    stdin.resume();
    draw();
  });
}
