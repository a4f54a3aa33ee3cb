// node webapp/fonts/cut.mjs: cuts the text font down to what the site writes, into
// webapp/fonts/inter.woff2. It is on the way to the first words of every page.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import subsetFont from "subset-font";

const whole = createRequire(import.meta.url).resolve(
  "@fontsource-variable/inter/files/inter-latin-wght-normal.woff2",
);

const range = (first, last) =>
  Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index));

/** Latin-1, which has every letter of Spanish, and the signs of its texts. */
const written = [...range(0x20, 0x7e), ...range(0xa0, 0xff), ..."–—‘’“”„…•‹›€−→←↗↑↓≥≤"];

const cut = await subsetFont(readFileSync(whole), written.join(""), {
  targetFormat: "woff2",
  variationAxes: { wght: { min: 400, max: 700 } },
  keepFeatures: ["kern", "ccmp", "tnum"],
});
writeFileSync(path.join(import.meta.dirname, "inter.woff2"), cut);
