/** One metric in the text format of Prometheus. Every sample of a family has the same label names. */
export type Family = {
  name: string;
  help: string;
  type: "counter" | "gauge";
  samples: { labels?: Record<string, string>; value: number }[];
};

/** The text format, version 0.0.4. Pure. */
export function formatMetrics(families: readonly Family[]): string {
  return families.map(formatFamily).join("");
}

function formatFamily({ name, help, type, samples }: Family): string {
  const lines = samples.map(({ labels, value }) => `${name}${formatLabels(labels)} ${formatValue(value)}`);
  return [`# HELP ${name} ${escapeHelp(help)}`, `# TYPE ${name} ${type}`, ...lines, ""].join("\n");
}

function formatLabels(labels: Record<string, string> = {}): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(value)}"`);
  return pairs.length > 0 ? `{${pairs.join(",")}}` : "";
}

function formatValue(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return "+Inf";
  if (value === Number.NEGATIVE_INFINITY) return "-Inf";
  return String(value);
}

function escapeHelp(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
}

function escapeLabel(text: string): string {
  return escapeHelp(text).replaceAll('"', '\\"');
}
