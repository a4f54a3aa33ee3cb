import { expect, it } from "vitest";
import { returnAddress, returnTo } from "./returning";

it("leads back to the view of the dashboard", () => {
  const view = "?desde=2026-10-01&hasta=2026-10-31&lead=si&buscar=m%C3%A1s+%26&conversacion=c-1";
  const address = returnAddress(returnTo("/dashboard", view));
  expect(new URL(address, "https://x.example").pathname).toBe("/dashboard");
  expect([...new URLSearchParams(address.split("?")[1])]).toEqual([...new URLSearchParams(view)]);
  expect(returnTo("/dashboard", "")).toBeNull();
});

it("leads back to a page of its own", () => {
  expect(returnAddress(returnTo("/dashboard/respuestas/nueva", ""))).toBe(
    "/dashboard/respuestas/nueva",
  );
  const inbox = returnAddress(returnTo("/dashboard/bandeja", "persona=lead/w0"));
  expect(inbox).toBe("/dashboard/bandeja?persona=lead%2Fw0");
});

it.each([
  null,
  undefined,
  "https://evil.example",
  7,
  {},
  [],
  { dashboard: null },
  { dashboard: ["//evil.example"] },
  { dashboard: "//evil.example" },
  { dashboard: "/\\evil.example" },
  { dashboard: "https://evil.example/?a=b" },
  { dashboard: "javascript:alert(1)" },
  { dashboard: "@evil.example" },
  { dashboard: ".evil.example" },
  { dashboard: "/../../login" },
  { dashboard: "/dashboard/../login" },
  { dashboard: "/dashboard//evil.example" },
  { dashboard: "/dashboard@evil.example" },
  { dashboard: "#x\r\nLocation: https://evil.example" },
])("never leaves the dashboard: %j", (state) => {
  const { origin, pathname, hash } = new URL(returnAddress(state), "https://x.example");
  expect([origin, pathname, hash]).toEqual(["https://x.example", "/dashboard", ""]);
});
