import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

/** Preloads the text font: its hashed name is known only once the bundle exists. */
function preloadFont(): Plugin {
  return {
    name: "preload-font",
    transformIndexHtml: {
      order: "post",
      handler(_html, { bundle }) {
        return Object.keys(bundle ?? {})
          .filter((file) => file.endsWith(".woff2"))
          .map((file) => ({
            tag: "link",
            attrs: {
              rel: "preload",
              as: "font",
              type: "font/woff2",
              href: `/${file}`,
              crossorigin: "",
            },
            injectTo: "head-prepend" as const,
          }));
      },
    },
  };
}

/** Packs scripts, styles and drawings as tightly as it goes, once for all visitors: the server sends them as they are. */
function packAssets(): Plugin {
  return {
    name: "pack-assets",
    writeBundle({ dir = "" }) {
      const files = readdirSync(dir, { recursive: true, encoding: "utf8" });
      for (const name of files.filter((file) => /\.(js|css|svg)$/.test(file))) {
        const file = join(dir, name);
        writeFileSync(`${file}.br`, brotliCompressSync(readFileSync(file)));
      }
    },
  };
}

/**
 * What the boot script needs is one chunk. What every page needs is another, and nothing of it comes
 * with the boot script. In it are also the few lines that pages and the chat share: as a file of
 * their own they would weigh twice as much.
 */
const chunks = [
  { name: "preload", test: /vite\/preload-helper|\/src\/ui\/booking\.ts$/, priority: 1 },
  {
    name: "main",
    test: /\/(src\/(app\/main\.tsx|content\/(folded|dates)\.ts|api\/(identity|events|problem|erasure)\.ts|ui\/(Skeleton|NamedIcon|RichText|storage|useMedia)\.tsx?|site\/(Notice|ActionBand|Avatar|CallToAction|Picture|Hours|HoursCard|SectionHeading|Steps|columns)\.tsx?)|zustand\/esm\/react\.mjs)$/,
  },
];

const api = process.env.BITACORA_API ?? "http://127.0.0.1:8080";

/** As strict as the server's own, so that a preview shows what it would refuse. */
const contentSecurityPolicy = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join("; ");

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss(), preloadFont(), packAssets()],
  // React has had this hook for long; wouter still brings what older ones go without.
  resolve: { alias: { "use-sync-external-store/shim/index.js": "react" } },
  build: {
    outDir: "dist",
    emptyOutDir: true,
    target: "es2022",
    // Which part asks for which others: src/budget.test.ts weighs them.
    manifest: true,
    rolldownOptions: { output: { codeSplitting: { groups: chunks } } },
    // Whatever runs this code knows modulepreload.
    modulePreload: { polyfill: false },
    // The content security policy allows no data: addresses.
    assetsInlineLimit: 0,
  },
  server: { host: "127.0.0.1", proxy: { "/api": api } },
  preview: {
    host: "127.0.0.1",
    proxy: { "/api": api },
    headers: { "Content-Security-Policy": contentSecurityPolicy },
  },
});
