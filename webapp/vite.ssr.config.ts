import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

/** What a visitor's browser loads after the page is there is no part of the page's HTML. */
const loadedLater = /\/(ChatWidget|StaffLogin|StaffDashboard|Toaster|writeHead)$/;

/** Leaves out of the bundle what only a browser loads. */
function withoutBrowserParts(): Plugin {
  const empty = "\0empty";
  return {
    name: "without-browser-parts",
    enforce: "pre",
    resolveId: (source) => (loadedLater.test(source) ? empty : null),
    load: (id) =>
      id === empty
        ? "export default () => null; export const ChatWidget = () => null; export const Toaster = () => null; export const writeHead = () => {};"
        : null,
  };
}

/**
 * The same pages once more, as one script without modules that the Go program runs to
 * write complete HTML: `site.render(path, data)`, see src/app/entry-server.tsx.
 */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [withoutBrowserParts(), react()],
  define: { "process.env.NODE_ENV": JSON.stringify("production") },
  resolve: { alias: { "react-dom/server": "react-dom/server.edge" } },
  ssr: { noExternal: true, target: "webworker" },
  build: {
    ssr: "src/app/entry-server.tsx",
    outDir: "dist-ssr",
    emptyOutDir: false,
    copyPublicDir: false,
    target: "es2020",
    minify: true,
    rollupOptions: {
      output: {
        format: "iife",
        name: "site",
        entryFileNames: "site.js",
      },
    },
  },
});
