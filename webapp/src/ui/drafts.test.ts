import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { draftOf, forgetDrafts, keepDraft, keepDraftsOf } from "./drafts";

let stored: Map<string, string>;

beforeEach(() => {
  stored = new Map();
  vi.stubGlobal("sessionStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  });
});

afterEach(() => vi.unstubAllGlobals());

it("keeps a draft until it is empty", () => {
  expect(draftOf("a")).toBe("");
  keepDraft("a", "Llamar el lunes");
  keepDraft("b", "Otra");
  expect([draftOf("a"), draftOf("b")]).toEqual(["Llamar el lunes", "Otra"]);
  keepDraft("a", "");
  expect([draftOf("a"), draftOf("b")]).toEqual(["", "Otra"]);
});

it("keeps the drafts of an account for that account alone", () => {
  keepDraftsOf("1");
  keepDraft("a", "de la 1");
  keepDraftsOf("1");
  expect(draftOf("a")).toBe("de la 1");
  keepDraftsOf("2");
  expect(draftOf("a")).toBe("");
});

it("forgets all at a sign-out", () => {
  keepDraftsOf("1");
  keepDraft("a", "texto");
  forgetDrafts();
  expect(draftOf("a")).toBe("");
  expect([...stored.values()].join()).not.toContain("texto");
});

it.each(["{", "null", ""])("begins anew where the storage holds %s", (text) => {
  stored.set("bitacora-drafts", text);
  expect(draftOf("a")).toBe("");
  keepDraft("a", "texto");
  expect(draftOf("a")).toBe("texto");
});

it("goes on without a storage", () => {
  vi.stubGlobal("sessionStorage", undefined);
  keepDraft("a", "texto");
  expect(draftOf("a")).toBe("");
});
