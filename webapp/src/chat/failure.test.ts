import { describe, expect, it } from "vitest";
import { ApiError } from "../api/errors";
import { chatTexts } from "../content/chat";
import { failureText } from "./failure";

const circumstances = {
  now: new Date("2026-11-20T15:00:00Z"),
  online: true,
  contactUrl: "https://clinica.example/contact",
};
const refusal = (retryAfter?: number, code?: string) =>
  new ApiError("", 503, JSON.stringify({ message: "No.", requestId: "r", code }), retryAfter);

describe("failureText", () => {
  it("says until when a connection began too many conversations, and other ways", () => {
    const text = failureText(refusal(30 * 60_000, "tooManyConversations"), circumstances);
    expect(text).toContain("Desde esta conexión");
    expect(text).toContain("Desde las 10:30 puedes");
    expect(text).toContain("(https://clinica.example/contact)");
    expect(text).toContain("(tel:+507");
  });

  it.each([
    ["no connection", new TypeError("fetch failed")],
    ["an error without a wait", refusal()],
    ["a long wait for another reason", refusal(30 * 60_000)],
    ["the bound without a wait", refusal(undefined, "tooManyConversations")],
  ])("gives the specified sentence after %s, beside what is known", (_, error) => {
    expect(failureText(error, circumstances)).toBe(chatTexts.difficulties);
    expect(failureText(error, { ...circumstances, online: false })).toBe(
      `Parece que no tienes conexión a internet. ${chatTexts.difficulties}`,
    );
  });
});
