import type { LiveStep } from "@gantry/client";
import type { AgentRow, TitleWriter } from "@gantry/protocol";
import { homePath, pluralize } from "@gantry/terminal";
import { versionsText } from "../agents/render.ts";

/** One step on the way to an answer, in the order of the way. */
export type Step = {
  name: "program" | "version" | "login" | "channel" | "models" | "kit" | "titles" | LiveStep["name"];
  state: "ok" | "warn" | "fail";
  detail?: string;
  /** After so many milliseconds, counted from the prompt. */
  ms?: number;
};

/** The steps that a probe can report before any prompt. */
export function stepsOf(row: AgentRow): Step[] {
  const found = row.path ? homePath(row.path) : "not found";
  if (row.state === "missing") return [{ name: "program", state: "fail", detail: found }];
  const degraded = row.problems.some(({ code }) => code === "main_channel_missing");
  return [
    { name: "program", state: row.state === "broken" ? "fail" : "ok", detail: found },
    { name: "version", state: versionState(row), detail: versionDetail(row) },
    { name: "login", state: loginState(row), detail: `${row.auth.state} (${row.auth.how})` },
    { name: "channel", state: degraded ? "warn" : "ok", detail: row.channel },
    { name: "models", state: "ok", detail: modelsOf(row) },
  ];
}

/** Can a prompt be sent at all? */
export function isUsable(row: AgentRow): boolean {
  return row.state === "ready" && row.auth.state !== "missing";
}

function versionState({ version, versions }: AgentRow): Step["state"] {
  return version && versions?.fit !== "older" ? "ok" : "warn";
}

function versionDetail(row: AgentRow): string {
  const { version = "unknown", versions } = row;
  const fit = { older: "older than supported", newer: "newer than tested", supported: "supported" }[
    versions?.fit ?? "supported"
  ];
  return versions ? `${version} (${fit}: ${versionsText(row)})` : version;
}

function loginState({ auth }: AgentRow): Step["state"] {
  if (auth.state === "ok") return "ok";
  return auth.state === "missing" ? "fail" : "warn";
}

function modelsOf({ models: { items, source } }: AgentRow): string {
  if (items.length === 0) return "it does not list them";
  const standard = items.find((model) => model.default);
  const from = source === "live" ? "" : ", from a built-in list";
  return `${pluralize(items.length, "model")}${standard ? `, ${standard.id} by default` : ""}${from}`;
}

/** Which model writes the titles of its sessions. Titles from the first message are no fault. */
export function titleStep({ agent, model, why }: TitleWriter): Step {
  const by = model ?? agent;
  return { name: "titles", state: "ok", detail: by ? `by ${by}. ${why}` : `from the first message. ${why}` };
}
