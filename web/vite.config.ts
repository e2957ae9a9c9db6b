import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

/** What is loaded by every page is kept in pieces of its own, so that a change of ours leaves them in the browser's cache. */
const pieces: [string, RegExp][] = [
  ["react", /node_modules\/(react|react-dom|scheduler|use-sync-external-store)\//],
  ["editor", /node_modules\/(@tiptap|prosemirror-|orderedmap|rope-sequence|w3c-keyname)/],
  ["aria", /node_modules\/(react-aria|@react-aria|@react-stately|react-stately|@internationalized)/],
];

export default defineConfig({
  plugins: [react()],
  server: {
    port: 5173,
    strictPort: true,
    proxy: {
      "/api": {
        target: process.env.QINGYU_URL ?? "http://127.0.0.1:7400",
        // The server knows its own page by a word that stands in it; this one comes from elsewhere, and asks as a program.
        configure: (proxy) =>
          proxy.on("proxyReq", (request) => {
            for (const name of ["origin", "referer", "sec-fetch-site"]) request.removeHeader(name);
          }),
      },
    },
  },
  build: {
    target: "es2022",
    chunkSizeWarningLimit: 400,
    rolldownOptions: {
      output: {
        // A piece takes what it needs with it, so that the first must be the one that all others need.
        codeSplitting: {
          groups: pieces.map(([name, test], place) => ({ name, test, priority: pieces.length - place })),
        },
      },
    },
  },
  test: {
    environment: "jsdom",
    projects: [
      // A page per file would take most of the time: files without components share one per worker, and their modules.
      { extends: true, test: { name: "plain", include: ["src/**/*.test.ts"], isolate: false } },
      // Components are tried with modules that the file replaces.
      { extends: true, test: { name: "components", include: ["src/**/*.test.tsx"] } },
    ],
  },
});
