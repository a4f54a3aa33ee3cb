// node webapp/fonts/cut.mjs: cuts the fonts of texts and of headings down to what the site writes, into
// webapp/fonts. They are on the way to the first words of every page.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import subsetFont from "subset-font";

const range = (first, last) =>
  Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index));

/** Writes a font with these signs and features alone; `more` are further options of subset-font. */
async function cut(name, source, signs, more) {
  const whole = createRequire(import.meta.url).resolve(source);
  const font = await subsetFont(readFileSync(whole), signs.join(""), {
    targetFormat: "woff2",
    ...more,
  });
  writeFileSync(path.join(import.meta.dirname, `${name}.woff2`), font);
}

/** Latin-1, which has every letter of Spanish, and the signs of its texts. */
const written = [...range(0x20, 0x7e), ...range(0xa0, 0xff), ..."–—‘’“”„…•‹›€−→←↗↑↓≥≤"];
await cut("inter", "@fontsource-variable/inter/files/inter-latin-wght-normal.woff2", written, {
  variationAxes: { wght: { min: 400, max: 700 } },
  keepFeatures: ["kern", "ccmp", "tnum"],
});

/** Letters of Spanish and Portuguese, digits, and the signs of headings: any other is the text font's. */
const headings = [...range(0x41, 0x5a), ...range(0x61, 0x7a), ..." 0123456789.,:;!?()'\"-/&%$+"];
const accented = [..."ÁÉÍÓÚÜÑÃÕÇÂÊÔÀáéíóúüñãõçâêôà¿¡«»“”’–—…"];
await cut(
  "fraunces",
  "@fontsource/fraunces/files/fraunces-latin-600-normal.woff2",
  [...headings, ...accented],
  { keepFeatures: ["kern"] },
);
