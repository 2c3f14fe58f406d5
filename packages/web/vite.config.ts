import { join } from "node:path";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { oneLanguage } from "../../scripts/one-language.ts";

/** `npm run dev -w @gantry/web` serves the sources and sends calls to the daemon at `GANTRY_URL`. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [oneLanguage, react(), tailwindcss()],
  server: { proxy: { "/v1": { target: process.env.GANTRY_URL ?? "http://127.0.0.1:4260", changeOrigin: true } } },
  build: {
    outDir: join(import.meta.dirname, "../../dist/page"),
    emptyOutDir: true,
    target: "es2023",
    // The policy of the page allows no inline code, and data URLs only for images.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1000,
  },
});
