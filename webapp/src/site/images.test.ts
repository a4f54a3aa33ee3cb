import { expect, it } from "vitest";
import { focusClasses, imageOfService, imageVariants, initialsOf, ownVariants } from "./images";

const own = {
  src: "/images/ab-640.webp",
  alt: "",
  width: 640,
  height: 480,
  stem: "/images/ab",
  widths: [320, 640, 960],
  focus: [24, 96],
};

it("names every format and width of a picture of the clinic's own", () => {
  expect(ownVariants(own)).toEqual(
    ["avif", "webp"].map((format) => ({
      type: `image/${format}`,
      phone: `/images/ab-640.${format}`,
      all: `/images/ab-320.${format} 320w, /images/ab-640.${format} 640w, /images/ab-960.${format} 960w`,
    })),
  );
  expect(ownVariants({ ...own, widths: [320] })[0]?.phone).toBe("/images/ab-320.avif");
  expect(ownVariants({ ...own, widths: [] })).toEqual([]);
});

it("keeps what a picture is about in sight", () => {
  expect(focusClasses(own.focus)).toBe("object-[var(--x)_var(--y)] [--x:20%] [--y:100%]");
  expect(focusClasses([0, 50])).toBe("object-[var(--x)_var(--y)] [--x:0%] [--y:50%]");
});

it("knows the formats and widths of our own pictures only", () => {
  expect(imageVariants("/img/services/carillas.webp")).toEqual([
    {
      type: "image/svg+xml",
      phone: "/img/services/carillas-640.svg",
      all: "/img/services/carillas.svg 1280w",
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
