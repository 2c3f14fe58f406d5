import type { McpServerSettings } from "@gantry/protocol";

/** The form of a server: a command with its arguments or an address, and one variable or header per line. */
export type ServerForm = { name: string; where: string; more: string; agents: string };

/** Splits a command at spaces, respecting quotes. */
export function splitCommand(text: string): string[] {
  const parts = text.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'|(\S+)/g);
  return [...parts].map(([, double, single, bare]) => double?.replace(/\\(.)/g, "$1") ?? single ?? bare ?? "");
}

/** The settings from the form, or what is wrong with it. */
export function parseServer(form: ServerForm): { settings: McpServerSettings } | { problem: string } {
  const lines = form.more.split("\n").filter((line) => line.trim() !== "");
  const entries = lines.map((line) => /^\s*([^=:\s]+)\s*[=:]\s*(.*)$/.exec(line));
  const bad = entries.findIndex((entry) => !entry);
  if (bad >= 0) return { problem: `“${lines[bad]?.trim()}” is not NAME=value.` };
  const values = Object.fromEntries(entries.map((entry) => [entry?.[1] ?? "", entry?.[2] ?? ""]));
  const hasValues = lines.length > 0;
  const agents = form.agents.split(/[\s,]+/).filter(Boolean);
  const common = { enabled: true, ...(agents.length > 0 ? { agents } : {}) };
  const where = form.where.trim();
  if (where === "") return { problem: "Enter a command or an address." };
  if (/^https?:\/\//.test(where))
    return { settings: { url: where, transport: "http", ...(hasValues ? { headers: values } : {}), ...common } };
  return { settings: { command: splitCommand(where), ...(hasValues ? { env: values } : {}), ...common } };
}
