// node webapp/illustrations/draw.mjs [name…]: draws every picture of the site, or those that
// are named as in "services/carillas", into webapp/public/img, at the widths and in the
// formats that webapp/src/site/images.ts names.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import sharp from "sharp";
import { sprite } from "./icons.mjs";
import { teal } from "./palette.mjs";
import { picture } from "./scenes.mjs";
import { at, incisor, tooth } from "./shapes.mjs";
import { pages, posts, services } from "./subjects.mjs";

const wanted = process.argv.slice(2);
const target = path.join(import.meta.dirname, "../public/img");

/** File name endings by width; the widest are for large screens. */
const widths = { 640: "-640", 1280: "", 1920: "-1920" };

const named = (folder, drawings) =>
  Object.entries(drawings).map(([name, drawing]) => [path.join(folder, name), drawing]);

for (const [name, [scene, subject]] of [
  ...named("", pages),
  ...named("services", services),
  ...named("posts", posts),
]) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const file = path.join(target, name);
  await mkdir(path.dirname(file), { recursive: true });
  const svg = Buffer.from(picture(scene, subject));
  for (const [width, ending] of Object.entries(widths)) {
    const image = sharp(svg, { density: (72 * width) / 1280 }).resize(Number(width));
    await image.clone().webp({ quality: 75, effort: 6 }).toFile(`${file}${ending}.webp`);
    await image.clone().avif({ quality: 47, effort: 2 }).toFile(`${file}${ending}.avif`);
  }
}

const shared = picture("day", at(640, 360, tooth({ face: true }), { scale: 1.8 }));
await sharp(Buffer.from(shared))
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

const placeholder = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1280 720"><rect width="1280" height="720" fill="${teal[100]}"/><g opacity=".6">${at(640, 360, incisor(), { scale: 2.4 })}</g></svg>`;
await writeFile(path.join(target, "placeholder.svg"), placeholder);
await writeFile(path.join(target, "icons.svg"), sprite());
