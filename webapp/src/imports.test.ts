import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { expect, it } from "vitest";

/** What each folder may import beside itself. */
const allowed: Record<string, readonly string[]> = {
  content: [],
  api: ["content"],
  ui: ["content"],
  site: ["ui", "content", "api"],
  chat: ["ui", "content", "api"],
  dashboard: ["ui", "content", "api"],
  auth: ["ui", "content", "api"],
  app: ["site", "chat", "dashboard", "auth", "ui", "content", "api"],
};

const root = import.meta.dirname;
const sources = readdirSync(root, { recursive: true, encoding: "utf8" }).filter(
  (file) => /[^.]\.tsx?$/.test(file) && file.includes("/"),
);

/** Texts are content of the server: from their files come types, and in tests what a server would say. */
const typesOfContent = /^\.\.\/\.\.\/domain\/clinic\/content\//;

/** What the server sends, as the contract has it; the file holds nothing but types. */
const contract = "api/schema.gen";

it("compiles no text of a page in", () => {
  const compiled = sources.filter((file) =>
    /import (?!type )[^;]*domain\/clinic\/content/.test(readFileSync(join(root, file), "utf8")),
  );
  expect(compiled).toEqual([]);
});

function folderOf(file: string): string {
  return file.split("/")[0] ?? "";
}

function importsOf(file: string): string[] {
  const text = readFileSync(join(root, file), "utf8");
  const paths = text.matchAll(/(?:from|import)\s*\(?\s*["'](\.[^"']*)["']/g);
  return Array.from(paths, ([, path = ""]) =>
    relative(root, resolve(root, dirname(file), path)),
  ).filter(
    (target) => !typesOfContent.test(target) && target !== contract && !/\.test\.ts$/.test(file),
  );
}

it("finds the sources", () => {
  expect(new Set(sources.map(folderOf))).toEqual(new Set(Object.keys(allowed)));
});

it("imports one way: ui, content and api by features, features by app only", () => {
  const wrong = sources.flatMap((file) =>
    importsOf(file)
      .filter((target) => {
        const folder = folderOf(target);
        return folder !== folderOf(file) && !allowed[folderOf(file)]?.includes(folder);
      })
      .map((target) => `${file} imports ${target}`),
  );
  expect(wrong).toEqual([]);
});

/** The dashboard's folder of a path; undefined for its page and for what is outside. */
function dashboardFolderOf(path: string): string | undefined {
  const [screen, folder, file] = path.split("/");
  return screen === "dashboard" && file ? folder : undefined;
}

it("keeps what staff sees apart: a folder of the dashboard imports `shared` alone", () => {
  const inFolders = sources.filter(dashboardFolderOf);
  expect(inFolders.length).toBeGreaterThan(50);
  const wrong = inFolders.flatMap((file) =>
    importsOf(file)
      .filter((target) => folderOf(target) === "dashboard")
      .filter((target) => {
        const folder = dashboardFolderOf(target);
        return folder !== "shared" && folder !== dashboardFolderOf(file);
      })
      .map((target) => `${file} imports ${target}`),
  );
  expect(wrong).toEqual([]);
});

it("keeps in the dashboard's `shared` only what several of its parts need", () => {
  const parts = sources.filter((file) => folderOf(file) === "dashboard" && !/\.test\./.test(file));
  const shared = parts.filter((file) => dashboardFolderOf(file) === "shared");
  const usersOf = (file: string) =>
    new Set(
      parts
        .filter((part) => importsOf(part).includes(file.replace(/\.tsx?$/, "")))
        .map(dashboardFolderOf),
    );
  const single = shared.filter((file) => {
    const users = usersOf(file);
    return users.size < 2 && !users.has("shared");
  });
  expect(shared.length).toBeGreaterThan(20);
  expect(single).toEqual([]);
});
