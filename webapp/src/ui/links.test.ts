import { expect, it } from "vitest";
import { richText } from "./links";

it("keeps plain text as it is", () => {
  expect(richText("Hola <b>mundo</b> & [NOMBRE] (x)")).toEqual([
    { text: "Hola <b>mundo</b> & [NOMBRE] (x)" },
  ]);
  expect(richText("")).toEqual([]);
});

it("finds bare addresses and leaves the punctuation behind", () => {
  expect(
    richText("Vea https://x.example/a?b=1. O llame: tel:+5072000101, o mailto:a@x.example!"),
  ).toEqual([
    { text: "Vea " },
    { text: "https://x.example/a?b=1", href: "https://x.example/a?b=1" },
    { text: ". O llame: " },
    { text: "+5072000101", href: "tel:+5072000101" },
    { text: ", o " },
    { text: "a@x.example", href: "mailto:a@x.example" },
    { text: "!" },
  ]);
});

it("takes labelled addresses", () => {
  expect(richText("[Agendar una cita](https://x.example/)")).toEqual([
    { text: "Agendar una cita", href: "https://x.example/" },
  ]);
});

it.each([
  "[x](javascript:alert(1))",
  "[x](data:text/html,hola)",
  "[x](vbscript:x)",
  "[x](//evil.example/)",
  "[x](/dashboard)",
  "javascript:alert(1)",
  "file:///etc/passwd",
  "https://",
])("makes no link of %s", (text) => {
  expect(richText(text).every((piece) => piece.href === undefined)).toBe(true);
  expect(
    richText(text)
      .map((piece) => piece.text)
      .join(""),
  ).toBe(text);
});
