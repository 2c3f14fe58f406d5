import { type Draft, draft } from "@gantry/protocol";

const HTML = `<script>window.harmed = 1</script>
<img src=x onerror="window.harmed = 1">
<iframe src="javascript:parent.harmed = 1"></iframe>
<style>body { display: none }</style>
<form action="https://evil.example"><button>Allow</button></form>`;

const LINKS = `[click](javascript:window.harmed=1) [case](JaVaScRiPt:window.harmed=1) [data](data:text/html,<script>parent.harmed=1</script>)
[tab](java\tscript:window.harmed=1) [entity](javascript&colon;window.harmed=1) <javascript:window.harmed=1> [file](file:///etc/passwd)
![pixel](https://evil.example/pixel.png) ![svg](data:image/svg+xml,%3Csvg%20onload%3D%22parent.harmed%3D1%22%3E) [fine](https://example.org/)`;

const BIDI = "rm -rf build \u202e\u2066# txt.gpj\u2069\u2066";
const MEGABYTES = 10_000_000;

/** Hostile output that a model, a file or a web page may cause. Each text must be shown and have no other effect. */
export function* hostileDrafts(): Generator<Draft> {
  const T = { turn: "trn_1" };
  yield draft("message.user", { message: "msg_1", text: HTML });
  yield draft("message.delivery", { message: "msg_1", state: "delivered" });
  yield draft("turn.started", { trigger: "user", messages: ["msg_1"] }, T);
  for (const [index, text] of [
    HTML,
    LINKS,
    `\`\`\`html\n${HTML}\n\`\`\``,
    nestedMarkdown(),
    "x".repeat(MEGABYTES),
  ].entries())
    yield draft("message.done", { item: `itm_${index}`, text }, T);
  yield draft("reasoning.done", { item: "itm_think", text: HTML }, T);
  const command = { command: BIDI };
  yield draft("tool.started", { item: "itm_bidi", name: "bash", kind: "execute", title: BIDI, input: command }, T);
  const output = `\u001b]0;title\u0007\u001b[31m${HTML}\u001b[0m\u001b[9999;9999H ${"y".repeat(MEGABYTES)}\n${HTML}`;
  yield draft("tool.ended", { item: "itm_bidi", status: "ok", output, exitCode: 0 }, T);
  const diff = `@@ -1 +1 @@\n-${HTML.replaceAll("\n", " ")}\n+${BIDI}\n`;
  const changes = [{ path: `../../${BIDI}`, kind: "update" as const, additions: 1, deletions: 1, diff }];
  yield draft("tool.started", { item: "itm_edit", name: "edit", kind: "edit", title: HTML }, T);
  yield draft("tool.ended", { item: "itm_edit", status: "ok", changes }, T);
  yield draft("notice", { kind: "x", severity: "warning", text: HTML });
  yield draft("turn.ended", { outcome: "completed", servedModel: HTML }, T);
}

/** Nested quotes and lists, deeper than the page renders. */
function nestedMarkdown(): string {
  return `${"> ".repeat(3000)}deep\n\n${"[".repeat(30_000)}\n\n${"*a **a ".repeat(5000)}`;
}
