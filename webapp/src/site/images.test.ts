import { expect, it } from "vitest";
import { imageOfService, imageVariants, initialsOf } from "./images";

it("knows the formats and widths of our own pictures only", () => {
  expect(imageVariants("/img/services/carillas.webp")).toEqual([
    {
      type: "image/avif",
      phone: "/img/services/carillas-640.avif",
      all: "/img/services/carillas-640.avif 640w, /img/services/carillas.avif 1280w, /img/services/carillas-1920.avif 1920w",
    },
    {
      type: "image/webp",
      phone: "/img/services/carillas-640.webp",
      all: "/img/services/carillas-640.webp 640w, /img/services/carillas.webp 1280w, /img/services/carillas-1920.webp 1920w",
    },
  ]);
  expect(imageVariants("/img/placeholder.svg")).toEqual([]);
  expect(imageVariants("/otra/foto.webp")).toEqual([]);
});

it("derives a service's picture from its title", () => {
  expect(imageOfService("Rehabilitación oral")).toBe("/img/services/rehabilitacion-oral.webp");
  expect(imageOfService("  Prótesis, dental ")).toBe("/img/services/protesis-dental.webp");
});

it.each([
  ["Yariela M.", "YM"],
  ["ángel", "Á"],
  ["María de los Ángeles Núñez", "MN"],
  ["", ""],
])("draws %j as %j", (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});
