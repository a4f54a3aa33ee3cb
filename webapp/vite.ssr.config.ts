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
 * Has React join the parts of a page once. It adds each to all those before, which the Go program's
 * JavaScript machine copies every time: most of the time that a page took.
 */
function withJoinedParts(): Plugin {
  const changes = [
    ['result = "",', "parts = [],"],
    ["(result += chunk)", "parts.push(chunk)"],
    ["return result;", 'return parts.join("");'],
  ] as const;
  let found = false;
  return {
    name: "with-joined-parts",
    transform(source, id) {
      if (!id.endsWith("react-dom-server-legacy.browser.production.js")) return null;
      found = true;
      let code = source;
      for (const [from, to] of changes) {
        if (code.split(from).length !== 2) this.error(`there is not one "${from}" in ${id}`);
        code = code.replace(from, to);
      }
      return { code, map: null };
    },
    buildEnd(error) {
      if (!found && !error) this.error("React renders to a string elsewhere than it did");
    },
  };
}

/**
 * The same pages once more, as one script without modules that the Go program runs to
 * write complete HTML: `site.render(path, data)`, see src/app/entry-server.tsx.
 */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [withoutBrowserParts(), withJoinedParts(), react()],
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
