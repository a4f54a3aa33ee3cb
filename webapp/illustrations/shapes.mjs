// Things that appear in more than one drawing. Each is drawn around 0,0 in pixels of a
// picture that is 1280 wide.
import { clay, sand, teal, white } from "./palette.mjs";

/** Moves, turns and scales what is drawn around 0,0. */
export function at(x, y, drawing, { scale = 1, turn = 0 } = {}) {
  return `<g transform="translate(${x} ${y}) rotate(${turn}) scale(${scale})">${drawing}</g>`;
}

const outline = `stroke="${teal[700]}" stroke-linejoin="round" stroke-linecap="round" fill="none"`;

export const line = (d, width = 8, colour = teal[700]) =>
  `<path d="${d}" ${outline.replace(teal[700], colour)} stroke-width="${width}"/>`;

const crownAndRoots =
  "M-53-152c24 0 35 12 53 12s29-12 53-12c34 0 54 27 54 62 0 48-27 70-34 112-5 29-10 62-30 62-27 0-18-80-43-80s-16 80-43 80c-20 0-25-33-30-62-7-42-34-64-34-112 0-35 20-62 54-62Z";

/** A molar with two roots, 214 by 216. */
export function tooth({ fill = white, shade = teal[50], face = false } = {}) {
  const smile = face ? line("M-36-36c10 14 22 21 36 21s26-7 36-21", 6) : "";
  return at(
    0,
    44,
    `<path d="${crownAndRoots}" fill="${fill}"/>
    <path d="M53-152c34 0 54 27 54 62 0 48-27 70-34 112-5 29-10 62-30 62-13 0-17-18-20-37 26-6 30-52 40-88 10-37 22-76-10-111Z" fill="${shade}"/>
    ${line(crownAndRoots, 6)}${line("M-77-92c1-16 9-28 23-31", 7, teal[300])}${smile}`,
  );
}

/** The visible part of a front tooth, 84 by 120, its edge below. */
export function incisor({ fill = white } = {}) {
  const shape =
    "M-36-56c10-8 62-8 72 0 6 30 8 66 2 100-2 14-12 18-38 18s-36-4-38-18c-6-34-4-70 2-100Z";
  return `<path d="${shape}" fill="${fill}"/><path d="M20-60c8 1 14 2 16 4 6 30 8 66 2 100-1 9-6 14-16 16 8-40 6-84-2-120Z" fill="${teal[50]}"/>${line(shape, 6)}`;
}

/** A row of front teeth around the middle. */
export function row(count, options = {}) {
  const { gap = 82, bend = 5 } = options;
  return Array.from({ length: count }, (_, index) => {
    const place = index - (count - 1) / 2;
    return at(place * gap, -place * place * bend, incisor(options), {
      scale: 1 - Math.abs(place) * 0.05,
    });
  }).join("");
}

/** The gum along a width, its edge at 0. */
export function gum(width, height, colour = clay[400]) {
  const half = width / 2;
  const waves = Math.round(width / 120);
  const step = width / waves;
  const scallops = Array.from({ length: waves }, () => `q${step / 2}-44 ${step} 0`).join("");
  return `<path d="M${-half} 0${scallops}v${height}h${-width}Z" fill="${colour}"/>`;
}

export function sparkle(size, colour = clay[400]) {
  const s = size;
  const c = size * 0.22;
  return `<path d="M0 ${-s}C${c * 0.5} ${-c} ${c} ${-c * 0.5} ${s} 0C${c} ${c * 0.5} ${c * 0.5} ${c} 0 ${s}C${-c * 0.5} ${c} ${-c} ${c * 0.5} ${-s} 0C${-c} ${-c * 0.5} ${-c * 0.5} ${-c} 0 ${-s}Z" fill="${colour}"/>`;
}

/** A plant of three leaves that grows from 0,0 upwards. */
export function leaves([first, second, third] = [teal[500], teal[600], teal[400]]) {
  return `<path d="M0 0c-42-40-50-92-30-146 40 34 52 88 30 146Z" fill="${first}"/>
    <path d="M12 6C6-52 30-98 82-126c10 54-14 102-70 132Z" fill="${second}"/>
    <path d="M2 8c-46-6-80-34-92-80 48 0 82 32 92 80Z" fill="${third}"/>`;
}

/** A pot with a plant, standing on 0,0. */
export function plant() {
  return `${at(0, -92, leaves(), { scale: 1.25 })}<path d="M-54-96h108l-12 96h-84Z" fill="${clay[400]}"/><path d="M-60-108h120v26H-60Z" fill="${clay[500]}"/>`;
}

/** A toothbrush that lies along the x axis, its head to the right. */
export function brush(colour = teal[500]) {
  const bristles = Array.from(
    { length: 6 },
    (_, index) =>
      `<rect x="${118 + index * 18}" y="-52" width="13" height="40" rx="5" fill="${index % 2 ? white : teal[200]}"/>`,
  ).join("");
  return `${bristles}<rect x="-250" y="-14" width="490" height="28" rx="14" fill="${colour}"/><rect x="-190" y="-8" width="150" height="16" rx="8" fill="${teal[200]}"/>`;
}

/** A dental mirror, its glass at 0,0. */
export function mirror() {
  return `<rect x="-11" y="60" width="22" height="270" rx="11" fill="${teal[600]}"/><circle r="78" fill="${teal[600]}"/><circle r="62" fill="${teal[50]}"/>${line("M-34-10a36 36 0 0 1 24-26", 8, white)}`;
}

export function drop(size, colour = clay[500]) {
  return `<path d="M0 ${-size}C${size * 0.9} ${size * 0.1} ${size * 0.75} ${size} 0 ${size}S${-size * 0.9} ${size * 0.1} 0 ${-size}Z" fill="${colour}"/>`;
}

/** A screw with a post, 72 wide and 230 high, its head at the top. */
export function screw() {
  const turns = Array.from({ length: 6 }, (_, index) => {
    const y = -48 + index * 30;
    const w = 42 - index * 4;
    return `<path d="M${-w} ${y}l${2 * w} 14v12l${-2 * w}-14Z" fill="${teal[700]}"/>`;
  }).join("");
  return `<path d="M-30-66h60l-10 200q-20 22-40 0Z" fill="${teal[400]}"/>${turns}<rect x="-20" y="-110" width="40" height="48" rx="6" fill="${teal[300]}"/>`;
}

const coat = (colour) =>
  `<path d="M-120 210c0-92 46-140 120-140s120 48 120 140Z" fill="${colour}"/><path d="m-30 74 30 54 30-54 14 6-44 90-44-90Z" fill="${teal[200]}"/>`;

/** A member of the team from the chest up, 240 wide, the chest's edge at 210. */
export function person({ skin, hair, long = false, clothes = white }) {
  const behind = long ? `<path d="M-66 40c-14-96 6-150 66-150s80 54 66 150Z" fill="${hair}"/>` : "";
  return `${behind}${coat(clothes)}<rect x="-22" y="30" width="44" height="56" rx="20" fill="${skin}"/><ellipse cy="-18" rx="54" ry="64" fill="${skin}"/>
    <path d="M-58-20c-6-60 20-88 58-88s64 28 58 88c-8-30-20-44-34-50-20 10-48 10-62 4-10 8-16 22-20 46Z" fill="${hair}"/>
    ${line("M-16 16c10 10 22 10 32 0", 5, "#5a2f1d")}<circle cx="-20" cy="-14" r="5" fill="#3a2118"/><circle cx="20" cy="-14" r="5" fill="#3a2118"/>`;
}

/** A smile with its lips, 460 wide. */
export function smile({ teeth = white, lips = clay[400] } = {}) {
  const inside = Array.from(
    { length: 7 },
    (_, index) => `<path d="M${-150 + index * 50}-60v150" stroke="${teal[200]}" stroke-width="4"/>`,
  ).join("");
  return `<clipPath id="mouth"><path d="M-196-34c60 16 332 16 392 0-22 86-92 132-196 132S-174 52-196-34Z"/></clipPath>
    <path d="M-240-46c60-30 120-66 176-66 30 0 46 14 64 14s34-14 64-14c56 0 116 36 176 66-40 128-124 194-240 194S-200 82-240-46Z" fill="${lips}"/>
    <g clip-path="url(#mouth)"><rect x="-240" y="-90" width="480" height="200" fill="${clay[700]}"/><path d="M-240-90h480v120c-60 24-160 34-240 34s-180-10-240-34Z" fill="${teeth}"/>${inside}</g>`;
}

export const ground = { sand, teal };
