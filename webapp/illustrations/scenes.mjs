// What stands behind a subject: a window on a calm landscape, at three times of day.
import { clay, sand, teal, white } from "./palette.mjs";
import { at, leaves, sparkle } from "./shapes.mjs";

export const size = { width: 1280, height: 720 };

const hills = (far, near, front) => `
  <path d="M0 560c180-90 330-70 500-24s360 66 780-66v250H0Z" fill="${far}"/>
  <path d="M0 620c240-60 420-44 640-10s420 40 640-40v150H0Z" fill="${near}"/>
  <path d="M0 690c300-40 520-30 720-16s380 14 560-20v66H0Z" fill="${front}"/>`;

const sky = (colour) => `<rect width="1280" height="720" fill="${colour}"/>`;

/** A disc behind the subject lets it stand out. */
const halo = (colour) => `<circle cx="640" cy="350" r="290" fill="${colour}"/>`;

const scenes = {
  day: `${sky(teal[100])}${halo(teal[50])}<circle cx="950" cy="140" r="70" fill="${clay[400]}"/><circle cx="950" cy="140" r="94" fill="none" stroke="${clay[400]}" stroke-width="3" opacity=".4"/>
    ${hills(teal[200], teal[300], teal[400])}${at(230, 660, leaves(), { scale: 1.3 })}${at(1060, 690, leaves([teal[600], teal[500], teal[700]]), { scale: 1.05 })}`,
  morning: `${sky(sand[100])}${halo(white)}<circle cx="330" cy="160" r="62" fill="${clay[400]}"/><circle cx="330" cy="160" r="84" fill="none" stroke="${clay[400]}" stroke-width="3" opacity=".4"/>
    ${hills(sand[200], teal[200], teal[300])}${at(1070, 672, leaves(), { scale: 1.3 })}${at(220, 694, leaves([teal[600], teal[500], teal[700]]), { scale: 1.0 })}`,
  indoors: `${sky(teal[200])}<path d="M0 590h1280v130H0Z" fill="${sand[200]}"/><path d="M0 582h1280v14H0Z" fill="${teal[300]}"/>
    <path d="M270 520V250c0-94 62-156 156-156s156 62 156 156v270Z" fill="${teal[50]}"/><path d="M426 94v426M270 300h312" stroke="${teal[200]}" stroke-width="10"/><circle cx="500" cy="190" r="40" fill="${clay[400]}"/>${halo(teal[100])}`,
  night: `${sky(teal[800])}${halo(teal[700])}<path d="M960 84a80 80 0 1 0 64 128 66 66 0 1 1-64-128Z" fill="${clay[100]}"/>
    ${[
      [150, 120, 14],
      [330, 80, 9],
      [430, 220, 11],
      [820, 70, 8],
      [1030, 330, 10],
      [230, 300, 8],
    ]
      .map(([x, y, s]) => at(x, y, sparkle(s, teal[200])))
      .join("")}
    ${hills(teal[700], teal[600], teal[500])}${at(230, 670, leaves([teal[400], teal[500], teal[300]]), { scale: 1.2 })}`,
};

/** A whole picture: the scene and what stands in it. */
export function picture(scene, subject) {
  const { width, height } = size;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">${scenes[scene]}${subject}</svg>`;
}
