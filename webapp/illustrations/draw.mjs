// node webapp/illustrations/draw.mjs [name…]: renders every drawing of this folder, or those that are named as
// in "services/carillas", into webapp/public/img, at the widths and in the formats that
// webapp/src/site/images.ts names.
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import sharp from "sharp";

const folder = import.meta.dirname;
const target = path.join(folder, "../public/img");

/** File name endings by width. The drawing itself, which is a fifth as large, is for browsers; WebP for all else. */
const endings = { 640: "-640", 1280: "", 1920: "-1920" };

/** The drawing, or on a phone the part that its "data-phone" names: x, y, width and height, as in a viewBox. */
function shown(svg, width) {
  const [, part, w, h] = (width === 640 && svg.match(/data-phone="(\S+ \S+ (\S+) (\S+))"/)) || [];
  return part
    ? svg.replace(
        /viewBox="[^"]+"(.*?)width=.*?>/,
        `viewBox="${part}"$1width="${w}" height="${h}">`,
      )
    : svg;
}

const drawn = (await readdir(folder, { recursive: true }))
  .filter((file) => file.endsWith(".svg") && file !== "share.svg")
  .map((file) => file.replace(".svg", ""));
const wanted = process.argv.slice(2);

for (const name of drawn.filter((one) => wanted.length === 0 || wanted.includes(one))) {
  const file = path.join(target, name);
  await mkdir(path.dirname(file), { recursive: true });
  const svg = await readFile(path.join(folder, `${name}.svg`), "utf8");
  for (const [width, ending] of Object.entries(endings)) {
    const drawing = shown(svg, Number(width));
    if (width !== "1920") await writeFile(`${file}${ending}.svg`, drawing);
    await sharp(Buffer.from(drawing), { density: (72 * width) / 1280 })
      .resize(Number(width))
      .webp({ quality: 75, effort: 6 })
      .toFile(`${file}${ending}.webp`);
  }
}

await sharp(path.join(folder, "share.svg"))
  .resize(1200, 630, { fit: "cover" })
  .png({ palette: true })
  .toFile(path.join(target, "share.png"));

// Phones round the corners by themselves, and cut up to a tenth off each side.
const mark = (await readFile(path.join(target, "../favicon.svg"), "utf8")).replace(' rx="9"', "");
for (const size of [180, 192, 512]) {
  await sharp(Buffer.from(mark), { density: (72 * size) / 32 })
    .resize(size)
    .png({ palette: true })
    .toFile(path.join(target, `icon-${size}.png`));
}
