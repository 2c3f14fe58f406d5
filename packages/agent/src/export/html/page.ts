import { PAGE_END, pageHeader, pageStart } from "@gantry/terminal/html";
import type { Entry, SessionHeader } from "../../contract/session-store.ts";
import { entryHtml, kindOf, lookOf, rowText } from "./entry-html.ts";
import { SCRIPT } from "./script.ts";

export type PageData = {
  header: SessionHeader;
  entries: readonly Entry[];
  labels: Record<string, string>;
  leafId: string | null;
};

/**
 * The tree of a session with the branch that a reader selects. Every entry is rendered here, into a template; the script
 * only clones templates, so no text of the conversation is parsed as HTML in the browser.
 */
export function page({ header, entries, labels, leafId }: PageData): string {
  const title = header.title ?? `Session ${header.id}`;
  const data = {
    leafId,
    labels,
    entries: entries.map((entry) => {
      const { id, parentId, type } = entry;
      return { id, parentId, type, kind: kindOf(entry), look: lookOf(entry), text: rowText(entry) };
    }),
  };
  const templates = entries.map((entry, index) => {
    return `<template data-entry="${index}">${entryHtml(entry, labels[entry.id])}</template>\n`;
  });
  return `${pageStart({ title, script: SCRIPT, layout: "tree-layout" })}<noscript>This page needs its script to show the conversation.</noscript>
<main>
${pageHeader(title, facts(header, entries))}</main>
${templates.join("")}<script type="application/json" id="data">${json(data)}</script>
<script>${SCRIPT}</script>
${PAGE_END}`;
}

function facts(header: SessionHeader, entries: readonly Entry[]): [string, string | undefined][] {
  const answers = entries.flatMap((entry) =>
    entry.type === "message" && entry.message.role === "assistant" ? [entry.message] : [],
  );
  const tokens = answers.reduce((sum, { usage }) => sum + (usage?.totalTokens ?? 0), 0);
  const cost = answers.reduce((sum, { usage }) => sum + (usage?.cost?.total ?? 0), 0);
  return [
    ["Folder", header.cwd],
    ["Started", `${header.timestamp.slice(0, 16).replace("T", " ")} UTC`],
    ["Entries", String(entries.length)],
    ["Answers", String(answers.length)],
    ["Tokens", String(tokens)],
    ["Cost", cost > 0 ? `$${cost.toFixed(4)}` : undefined],
    ["From", header.parentSession],
  ];
}

/** Escapes JSON so that it can neither end the script element nor start a comment. */
function json(data: unknown): string {
  return JSON.stringify(data).replaceAll("<", "\\u003c");
}
