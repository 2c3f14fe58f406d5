import { type AgentRow, formatWindow, type Model } from "@gantry/protocol";
import { type Paint, renderTable, stripControls } from "@gantry/terminal";
import { agentHeader, agentLines } from "./render.ts";

/** One agent: its row, its models with the facts about each, and its native controls. */
export function oneAgentLines(row: AgentRow, paint: Paint, width?: number): string[] {
  return [
    agentHeader(paint),
    ...agentLines(row, paint, width),
    "",
    ...modelLines(row, paint, width),
    ...controlLines(row, paint, width),
  ];
}

const MODEL_COLUMNS = ["MODEL", "NAME", "CONTEXT", "OUTPUT", "$/M", "IMAGES", "EFFORT", ""].map((title) => ({
  title,
  ...(title === "NAME" || title === "EFFORT" ? { shrink: true } : {}),
}));

function modelLines({ models, name }: AgentRow, paint: Paint, width?: number): string[] {
  if (models.items.length === 0) return [`${stripControls(name)} lists no models.`];
  const source = models.source === "live" ? "listed by the agent" : "Gantry's built-in list";
  const rows = models.items.map((model) => modelCells(model, paint));
  return [...renderTable(MODEL_COLUMNS, rows, { header: paint.dim, width }), paint.dim(`  ${source}`)];
}

function modelCells(model: Model, paint: Paint): string[] {
  const { id, name, contextWindow, maxTokens, price, images, efforts, local, deprecated, resolves } = model;
  const notes = [
    model.default && paint.green("default"),
    deprecated && paint.yellow("deprecated"),
    local && "local",
    resolves && resolves !== id && paint.dim(stripControls(resolves)),
  ];
  return [
    stripControls(id),
    name === id ? "" : stripControls(name),
    contextWindow ? formatWindow(contextWindow) : "–",
    maxTokens ? formatWindow(maxTokens) : "–",
    price ? `${price.input}/${price.output}` : "–",
    images === undefined ? "–" : images ? "yes" : "no",
    stripControls(efforts.join(" ")),
    notes.filter(Boolean).join(" "),
  ];
}

function controlLines({ controls }: AgentRow, paint: Paint, width?: number): string[] {
  if (!controls || controls.items.length === 0) return [];
  const rows = controls.items.map(({ id, label, choices, open }) => [
    id,
    label,
    [...choices.map((choice) => choice.id), ...(open ? ["…"] : [])].join(" "),
  ]);
  const columns = [{ title: "CONTROL" }, { title: "NAME" }, { title: "CHOICES", shrink: true }];
  return ["", ...renderTable(columns, rows, { header: paint.dim, width })];
}
