// What each service and each post is about, at the middle of a picture.
import { clay, sand, teal, white } from "./palette.mjs";
import {
  at,
  brush,
  drop,
  gum,
  incisor,
  line,
  mirror,
  person,
  row,
  screw,
  smile,
  sparkle,
  tooth,
} from "./shapes.mjs";

const middle = [640, 360];
const centred = (drawing, scale = 1.7, turn = 0) => at(...middle, drawing, { scale, turn });

const sparkles = (...places) => places.map(([x, y, s, c]) => at(x, y, sparkle(s, c))).join("");

const wire = (width, y = 0) =>
  `<path d="M${-width / 2} ${y}q${width / 2} 26 ${width} 0" fill="none" stroke="${teal[600]}" stroke-width="7"/>`;

const brackets = (count, gap = 82) =>
  Array.from({ length: count }, (_, index) => {
    const place = index - (count - 1) / 2;
    return `<rect x="${place * gap - 17}" y="${-16 - place * place * 4 + 8}" width="34" height="30" rx="7" fill="${teal[400]}" stroke="${teal[700]}" stroke-width="5"/>`;
  }).join("");

const braces = (count) =>
  `${row(count, { bend: 4 })}${wire(count * 82 - 60, -4)}${brackets(count)}`;

const aligner = (count) =>
  `${row(count, { bend: 4 })}<path d="M${-count * 41 - 6}-70q${count * 41 + 6} 60 ${count * 82 + 12} 0v96q${-count * 41 - 6} 60 ${-count * 82 - 12} 0Z" fill="${teal[300]}" opacity=".45"/>`;

const canals = `${tooth()}${line("M0-52c-8 22-30 30-38 70-3 20-6 44-8 66M0-52c8 22 30 30 38 70 3 20 6 44 8 66", 14, clay[400])}<ellipse cy="-58" rx="34" ry="20" fill="${clay[400]}"/>`;

const inGum = (drawing) => `${drawing}${at(0, 66, gum(480, 120))}`;

const implant = `${at(0, 126, gum(420, 200, clay[100]))}${at(0, 150, screw())}${at(0, -50, incisor(), { scale: 1.5 })}`;

const bridge = `${at(0, 92, gum(520, 90))}${row(4, { bend: 0, gap: 100 })}${line("M-150-10h300", 10, teal[400])}`;

const denture = `<path d="M-230 70c0-170 90-230 230-230s230 60 230 230c-40 44-70 20-86-30-18-60-66-86-144-86s-126 26-144 86c-16 50-46 74-86 30Z" fill="${clay[400]}"/>
  ${[-75, -50, -25, 0, 25, 50, 75].map((angle) => at(186 * Math.sin((angle * Math.PI) / 180), 62 - 182 * Math.cos((angle * Math.PI) / 180), incisor(), { scale: 0.72, turn: angle })).join("")}`;

const cracked = `${tooth()}${line("m-6-96 22 34-26 24 24 34-18 30", 8, clay[500])}`;

const rays = Array.from({ length: 12 }, (_, index) => {
  const angle = (index * Math.PI) / 6;
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  return line(
    `M${(170 * c).toFixed(1)} ${(170 * s).toFixed(1)}L${(204 * c).toFixed(1)} ${(204 * s).toFixed(1)}`,
    10,
    clay[400],
  );
}).join("");

const shield = `<path d="M0-210 170-150V-10c0 110-74 178-170 220C-96 168-170 100-170-10v-140Z" fill="${teal[300]}"/><path d="M0-210v420C-96 168-170 100-170-10v-140Z" fill="${teal[400]}"/>`;

const bubbles = [
  [-190, -120, 34],
  [-230, -30, 20],
  [-160, 60, 26],
  [180, -150, 24],
  [214, -70, 36],
  [176, 40, 18],
]
  .map(
    ([x, y, r]) =>
      `<circle cx="${x}" cy="${y}" r="${r}" fill="${white}" stroke="${teal[300]}" stroke-width="5"/><path d="M${x - r * 0.5} ${y - r * 0.2}a${r * 0.55} ${r * 0.55} 0 0 1 ${r * 0.4}-${r * 0.35}" fill="none" stroke="${teal[300]}" stroke-width="4" stroke-linecap="round"/>`,
  )
  .join("");

const calendar = `<rect x="-130" y="-120" width="260" height="250" rx="26" fill="${white}" stroke="${teal[700]}" stroke-width="7"/><path d="M-130-60h260v-34a26 26 0 0 0-26-26h-208a26 26 0 0 0-26 26Z" fill="${teal[500]}"/>
  ${[0, 1, 2, 3, 4, 5, 6, 7, 8].map((day) => `<circle cx="${-72 + (day % 3) * 72}" cy="${-14 + Math.floor(day / 3) * 52}" r="14" fill="${day === 4 ? clay[400] : teal[100]}"/>`).join("")}`;

const jaws = `${at(0, -96, `${at(0, -40, gum(460, 90), { turn: 180 })}${row(4, { bend: 0, gap: 96 })}`)}${at(0, 96, `${at(0, -40, gum(460, 90), { turn: 180 })}${row(4, { bend: 0, gap: 96 })}`, { turn: 180 })}
  <path d="M0-270v540M-280 0h560" stroke="${teal[600]}" stroke-width="6" stroke-dasharray="18 14"/>`;

const heart = (s, colour = clay[400]) =>
  `<path d="M0 ${s}C${-1.5 * s} ${0.1 * s} ${-1.1 * s} ${-s} ${-0.4 * s} ${-0.8 * s}Q${-0.1 * s} ${-0.7 * s} 0 ${-0.4 * s}Q${0.1 * s} ${-0.7 * s} ${0.4 * s} ${-0.8 * s}C${1.1 * s} ${-s} ${1.5 * s} ${0.1 * s} 0 ${s}Z" fill="${colour}"/>`;

const balloon = `<path d="M0 70q-10 60 6 120" fill="none" stroke="${teal[600]}" stroke-width="5"/><ellipse rx="58" ry="70" fill="${clay[400]}"/><path d="m-10 68 20 0-10-12Z" fill="${clay[500]}"/><path d="M-28-24c4-16 12-24 24-28" fill="none" stroke="${clay[100]}" stroke-width="7" stroke-linecap="round"/>`;

const glass = `<path d="M-62-100h124l-16 210h-92Z" fill="${teal[50]}" opacity=".85"/><path d="M-56-30h112l-11 140h-90Z" fill="${white}"/>${line("M-62-100h124l-16 210h-92Z", 7)}`;

const clock = `<circle r="74" fill="${white}" stroke="${teal[700]}" stroke-width="8"/>${line("M0-40V2l30 18", 8, clay[500])}`;

const shades = [sand[300], sand[200], sand[100], white]
  .map((fill, index) =>
    at(-150 + index * 100, Math.abs(index - 1.5) * 6, incisor({ fill }), { scale: 1.1 }),
  )
  .join("");

const mother = `${at(0, 0, person({ skin: "#b97a56", hair: "#3b2119", long: true, clothes: teal[400] }))}${at(0, 150, heart(44))}`;

/** [scene, drawing] of each service, by slug. */
export const services = {
  "blanqueamiento-dental": ["day", centred(`${rays}${tooth({ shade: white })}`, 1.45)],
  carillas: [
    "morning",
    centred(
      `${at(-96, 0, incisor({ fill: sand[200] }), { scale: 2.4 })}${at(96, 0, incisor(), { scale: 2.4 })}${sparkles([200, -170, 34], [120, -190, 16, teal[300]])}`,
      1,
    ),
  ],
  "cirugia-maxilofacial": ["day", centred(jaws, 1.05)],
  "diseno-sonrisa": [
    "morning",
    centred(
      `${smile()}${sparkles([190, -150, 40], [250, -80, 18, teal[400]], [-230, -130, 22, teal[300]])}`,
      1.05,
    ),
  ],
  endodoncia: ["day", centred(canals, 1.8)],
  "implantes-dentales": ["morning", centred(implant, 1.25)],
  "limpieza-dental": [
    "day",
    centred(
      `${tooth({ face: true })}${bubbles}${at(40, 170, brush(), { scale: 0.8, turn: -16 })}`,
      1.3,
    ),
  ],
  "muelas-del-juicio": [
    "morning",
    centred(
      `${at(-190, -30, tooth(), { scale: 0.9 })}${at(10, -30, tooth(), { scale: 0.9 })}${at(0, 34, gum(660, 190))}${at(214, 66, tooth(), { scale: 0.82, turn: -52 })}`,
      1.05,
    ),
  ],
  "odontologia-general": [
    "indoors",
    centred(
      `${at(-30, -10, tooth({ face: true }), { scale: 1.2 })}${at(150, -60, mirror(), { scale: 0.9, turn: -24 })}`,
      1.25,
    ),
  ],
  "odontologia-laser": [
    "night",
    centred(
      `${tooth()}<path d="M-250-230-14-40" stroke="${clay[400]}" stroke-width="14" stroke-linecap="round"/><path d="m-330-300-30 30 84 78 34-34Z" fill="${teal[300]}"/>${sparkles([-10, -36, 44, clay[100]], [-10, -36, 24])}`,
      1.4,
    ),
  ],
  "odontologia-pediatrica": [
    "morning",
    centred(
      `${at(-40, 40, tooth({ face: true }), { scale: 1.25 })}${at(170, -140, balloon)}${at(140, 90, heart(26))}`,
      1.2,
    ),
  ],
  ortodoncia: ["day", centred(braces(5), 1.45)],
  periodoncia: [
    "morning",
    centred(
      `${shield}${at(0, -20, tooth(), { scale: 0.8 })}${at(0, 44, `<path d="M-120 0q40-34 80 0t80 0 80 0v50q-30 60-120 106Q-90 110-120 50Z" fill="${clay[400]}"/>`)}`,
      1.35,
    ),
  ],
  "protesis-dental": ["indoors", centred(denture, 1.25)],
  "rehabilitacion-oral": ["day", centred(bridge, 1.25)],
  "urgencias-dentales": [
    "indoors",
    centred(
      `${cracked}${at(170, -150, `<circle r="66" fill="${clay[500]}"/><path d="M-12-38h24v26h26v24H12v26h-24V12h-26v-24h26Z" fill="${white}"/>`)}`,
      1.5,
    ),
  ],
};

/** [scene, drawing] of each post, by slug. */
export const posts = {
  "blanqueamiento-dental-con-seguridad": [
    "morning",
    centred(`${shades}${sparkles([230, -110, 36], [270, -50, 16, teal[400]])}`, 1.25),
  ],
  "brackets-o-alineadores": [
    "day",
    `${at(640, 220, braces(4), { scale: 1.05 })}${at(640, 480, aligner(4), { scale: 1.05 })}`,
  ],
  "bruxismo-cuando-aprietas-de-noche": [
    "night",
    centred(
      `${at(0, -84, row(4, { bend: 0 }))}${at(0, 84, row(4, { bend: 0 }), { turn: 180 })}${line("m-220-30 30 30-30 30M220-30l-30 30 30 30", 10, clay[400])}`,
      1.15,
    ),
  ],
  "cepillarse-bien-guia-practica": [
    "day",
    centred(
      `${at(0, 60, brush(), { scale: 1.15, turn: -14 })}${at(190, -70, `<path d="M-70 20c0-30 24-34 34-52 10-20 40-18 46 4 30-6 50 20 36 48Z" fill="${white}" stroke="${teal[300]}" stroke-width="5"/>`, { turn: -14 })}`,
      1.2,
    ),
  ],
  "cuando-sacar-la-muela-del-juicio": [
    "morning",
    centred(`${at(-120, 0, calendar)}${at(170, 30, tooth(), { scale: 1.1, turn: -24 })}`, 1.2),
  ],
  "dentista-en-el-embarazo": [
    "day",
    centred(`${mother}${at(-210, 80, tooth({ face: true }), { scale: 0.6 })}`, 1.35),
  ],
  "diabetes-y-salud-de-las-encias": [
    "morning",
    centred(
      `${at(-60, 0, inGum(tooth()))}${at(190, -110, drop(74))}${line("M170-96c4 20 14 30 30 34", 8, clay[100])}`,
      1.25,
    ),
  ],
  "diente-roto-o-golpeado-que-hacer": [
    "indoors",
    centred(`${at(-110, 0, cracked, { scale: 1.1 })}${at(160, 40, glass, { scale: 1.2 })}`, 1.2),
  ],
  "duele-un-tratamiento-de-conducto": [
    "indoors",
    centred(`${canals}${at(180, -120, clock)}`, 1.55),
  ],
  "implante-puente-o-protesis": [
    "day",
    `${at(380, 360, implant, { scale: 0.78 })}${at(660, 380, `${at(0, 62, gum(240, 60))}${row(3, { bend: 0, gap: 74 })}`, { scale: 0.95 })}${at(925, 390, denture, { scale: 0.55 })}`,
  ],
  "por-que-sangran-las-encias": [
    "morning",
    centred(
      `${at(-40, 0, inGum(tooth()))}${at(70, -120, brush(), { scale: 0.7, turn: 152 })}${at(96, 130, drop(30, clay[700]))}`,
      1.3,
    ),
  ],
  "primera-visita-dental-del-nino": [
    "morning",
    centred(
      `${at(-150, 60, tooth({ face: true }), { scale: 1.25 })}${at(120, 110, tooth({ face: true }), { scale: 0.7 })}${at(210, -110, balloon)}`,
      1.2,
    ),
  ],
};

const team = [
  [-330, { skin: "#c98f68", hair: "#2c1b14", long: true }],
  [-110, { skin: "#8d5a3b", hair: "#1d1411", clothes: teal[400] }],
  [110, { skin: "#e0b08c", hair: "#6b4226", long: true, clothes: teal[300] }],
  [330, { skin: "#a86f4b", hair: "#4a4441" }],
];

const screen = `<rect x="-290" y="-200" width="580" height="370" rx="26" fill="${teal[900]}"/><rect x="-266" y="-176" width="532" height="322" rx="14" fill="${teal[800]}"/><rect x="-40" y="170" width="80" height="60" fill="${teal[700]}"/><rect x="-130" y="224" width="260" height="22" rx="11" fill="${teal[700]}"/>
  ${[-200, -120, -40, 40, 120, 200].map((x) => `<path d="M${x}-176v322" stroke="${teal[700]}" stroke-width="3"/>`).join("")}${[-120, -40, 40, 100].map((y) => `<path d="M-266 ${y}h532" stroke="${teal[700]}" stroke-width="3"/>`).join("")}
  ${at(-70, 0, tooth({ fill: teal[300], shade: teal[200] }), { scale: 1.05 })}<circle cx="-70" cy="-30" r="150" fill="none" stroke="${clay[400]}" stroke-width="4" stroke-dasharray="14 12"/>
  ${[-110, -70, -30, 10].map((y, index) => `<rect x="120" y="${y}" width="${118 - index * 22}" height="16" rx="8" fill="${index === 1 ? clay[400] : teal[400]}"/>`).join("")}`;

const looking = `<ellipse rx="250" ry="270" fill="${sand[300]}"/><ellipse rx="226" ry="246" fill="${teal[50]}"/>${at(0, 30, smile(), { scale: 0.72 })}${line("M-140-120a200 220 0 0 1 90-80", 12, white)}${sparkles([190, -190, 44], [240, -120, 20, teal[400]])}`;

const chair = `<path d="M-250 120c-20-20-10-44 16-46l210-14 90-170c14-26 60-20 64 10l4 40-84 186c-10 20-30 30-52 30h-180c-30 0-52-16-68-36Z" fill="${teal[500]}"/><path d="M-244 96 0 76l84-160" fill="none" stroke="${teal[300]}" stroke-width="14" stroke-linecap="round" stroke-linejoin="round"/><rect x="-70" y="156" width="60" height="80" fill="${teal[700]}"/><rect x="-170" y="230" width="260" height="24" rx="12" fill="${teal[700]}"/>
  <path d="M230 240V-200q0-50-50-50H40" fill="none" stroke="${teal[600]}" stroke-width="16" stroke-linecap="round"/><path d="M-20-268h100l24 62h-148Z" fill="${clay[400]}"/><path d="m-44-206 148 0 60 130h-268Z" fill="${clay[50]}" opacity=".7"/>`;

const desk = `<path d="M-330 60h660v170h-660Z" fill="${teal[600]}"/><path d="M-350 40h700v34h-700Z" fill="${teal[700]}"/>${at(-60, -160, person({ skin: "#c98f68", hair: "#2c1b14", long: true }), { scale: 0.95 })}<path d="M-350 40h700v34h-700Z" fill="${teal[700]}"/><path d="M-330 74h660v156h-660Z" fill="${teal[600]}"/>
  <rect x="110" y="-70" width="150" height="104" rx="10" fill="${teal[900]}"/><rect x="172" y="30" width="26" height="14" fill="${teal[800]}"/>${at(0, 150, tooth(), { scale: 0.46 })}`;

/** [scene, drawing] of what stands in the pages themselves, by path below /img. */
export const pages = {
  "hero/1": ["indoors", at(680, 380, chair, { scale: 1.15 })],
  "hero/2": [
    "morning",
    at(640, 540, team.map(([x, look]) => at(x, 0, person(look), { scale: 1.05 })).join(""), {
      scale: 0.9,
    }),
  ],
  "hero/3": ["indoors", at(640, 350, screen, { scale: 1.05 })],
  "hero/4": ["day", at(640, 350, looking, { scale: 1.12 })],
  welcome: ["indoors", at(640, 430, desk, { scale: 1.05 })],
  before: ["indoors", centred(smile({ teeth: sand[200], lips: clay[400] }), 1.25)],
  after: [
    "day",
    centred(`${smile()}${sparkles([180, -150, 36], [236, -90, 16, teal[400]])}`, 1.25),
  ],
};
