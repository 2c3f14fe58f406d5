// A fake language server that reports what it received, for cases no real server shows. Tests start it as a program.
import { writeFileSync } from "node:fs";
import { createMessageConnection } from "vscode-jsonrpc/node";

type Params = Record<string, unknown>;

const received: Record<string, unknown> = { args: process.argv.slice(2) };
const connection = createMessageConnection(process.stdin, process.stdout);

connection.onRequest("initialize", (params: Params) => {
  received.initOptions = params.initializationOptions;
  return { capabilities: { hoverProvider: true, documentFormattingProvider: true, executeCommandProvider: {} } };
});
connection.onRequest("textDocument/hover", async () => {
  const items = [{ section: "deep.inner" }, { section: "none" }, {}];
  received.asked = await connection.sendRequest("workspace/configuration", { items });
  return { contents: JSON.stringify(received) };
});
connection.onRequest("textDocument/formatting", () => [
  { range: { start: { line: 0, character: 0 }, end: { line: 0, character: 3 } }, newText: "SHAPED" },
]);
connection.onRequest("workspace/executeCommand", (params: Params) =>
  connection.sendRequest("workspace/applyEdit", { edit: (params.arguments as unknown[] | undefined)?.[0] }),
);
connection.onRequest("shutdown", () => null);
connection.onRequest(() => null);
connection.onNotification("workspace/didChangeConfiguration", (params: Params) => {
  received.settings = params.settings;
});
for (const method of ["textDocument/didOpen", "textDocument/didChange"]) {
  connection.onNotification(method, ({ textDocument }: Params) => {
    const { uri } = textDocument as { uri: string };
    const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } };
    const message = `seen by ${process.argv[2] ?? "no name"}`;
    void connection.sendNotification("textDocument/publishDiagnostics", { uri, diagnostics: [{ range, message }] });
  });
}
connection.onNotification("exit", () => {
  if (process.argv[3]) writeFileSync(process.argv[3], "ended");
  process.exit(0);
});
connection.listen();
