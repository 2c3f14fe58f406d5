import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { needs } from "@gantry/testkit";
import react from "@vitejs/plugin-react";
import { createServer, type ViteDevServer } from "vite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CHROMIUM } from "../../../../e2e/browser/workbench/chromium.ts";
import { Stage } from "./testing/stage.ts";

const CACHE = join(import.meta.dirname, "../../../../.cache");
const cart = (title: string) =>
  `export function Cart() { return <section><h1>${title}</h1><button id="buy">Buy</button></section>; }\n`;
const files = {
  "index.html":
    '<!doctype html><title>App</title><div id="root"></div><script type="module" src="/src/main.tsx"></script>',
  "src/main.tsx": `import { createRoot } from "react-dom/client";
import { Cart } from "./cart.tsx";
createRoot(document.getElementById("root")).render(<Cart />);
`,
  "src/cart.tsx": cart("First"),
};

describe.skipIf(!CHROMIUM.met)("an app of React on Vite's own dev server", needs(CHROMIUM), () => {
  let root: string;
  let vite: ViteDevServer;
  let stage: Stage;

  beforeAll(async () => {
    // Inside the repository, so that React can be resolved.
    mkdirSync(CACHE, { recursive: true });
    root = mkdtempSync(join(CACHE, "preview-app-"));
    mkdirSync(join(root, "src"));
    for (const [name, text] of Object.entries(files)) writeFileSync(join(root, name), text);
    const cacheDir = join(root, "cache");
    const watch = { usePolling: true, interval: 200 };
    const server = { port: 0, watch };
    vite = await createServer({ root, cacheDir, server, configFile: false, plugins: [react()], logLevel: "error" });
    await vite.listen();
    stage = await Stage.open(Number(new URL(vite.resolvedUrls?.local[0] ?? "").port));
  });
  afterAll(async () => {
    await stage.close();
    await vite.close();
    rmSync(root, { recursive: true });
  });

  it("reports the component and its file, and follows changes of its source", async () => {
    const shown = await stage.show("/");
    await shown.frame.getByText("First").waitFor();
    expect((await shown.pick("#buy")).component).toEqual({ framework: "react", name: "Cart", file: "/src/cart.tsx" });
    await shown.frame.evaluate(() => Object.assign(window, { same: "document" }));
    writeFileSync(join(root, "src/cart.tsx"), cart("Second"));
    await shown.frame.getByText("Second").waitFor();
    expect(await shown.frame.evaluate(() => Object(window).same)).toBe("document");
  });
});
