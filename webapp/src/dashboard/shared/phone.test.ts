import { expect, it } from "vitest";
import { whatsappAddress } from "./phone";

it.each([
  ["+50767894321", "https://wa.me/50767894321"],
  ["+57 300 123 4567", "https://wa.me/573001234567"],
  ["6789-4321", "https://wa.me/50767894321"],
  ["507 6789 4321", "https://wa.me/50767894321"],
  ["javascript:alert(1)", undefined],
  ["+1", undefined],
  ["", undefined],
  [undefined, undefined],
])("%s is written to at %s", (phone, address) => {
  expect(whatsappAddress(phone, "+507 200-0101")).toBe(address);
});

it("guesses no country where the clinic's phone has none", () => {
  expect(whatsappAddress("6789-4321", "200-0101")).toBeUndefined();
});
