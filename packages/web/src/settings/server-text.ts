import type { McpServerSettings } from "@gantry/protocol";

/** What a person types for a server: a command with its arguments, or an address; a variable or header on each line. */
export type ServerForm = { name: string; where: string; more: string; agents: string };

/** Splits a command as a shell would at its simplest: blanks part, quotes hold together. */
export function splitCommand(text: string): string[] {
  const parts = text.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'|(\S+)/g);
  return [...parts].map(([, double, single, bare]) => double?.replace(/\\(.)/g, "$1") ?? single ?? bare ?? "");
}

/** The settings, or what is wrong with what was typed. */
export function readServer(form: ServerForm): { settings: McpServerSettings } | { problem: string } {
  const lines = form.more.split("\n").filter((line) => line.trim() !== "");
  const entries = lines.map((line) => /^\s*([^=:\s]+)\s*[=:]\s*(.*)$/.exec(line));
  const bad = entries.findIndex((entry) => !entry);
  if (bad >= 0) return { problem: `“${lines[bad]?.trim()}” is not NAME=value.` };
  const values = Object.fromEntries(entries.map((entry) => [entry?.[1] ?? "", entry?.[2] ?? ""]));
  const given = lines.length > 0;
  const agents = form.agents.split(/[\s,]+/).filter(Boolean);
  const common = { enabled: true, ...(agents.length > 0 ? { agents } : {}) };
  const where = form.where.trim();
  if (where === "") return { problem: "Give a command or an address." };
  if (/^https?:\/\//.test(where))
    return { settings: { url: where, transport: "http", ...(given ? { headers: values } : {}), ...common } };
  return { settings: { command: splitCommand(where), ...(given ? { env: values } : {}), ...common } };
}
