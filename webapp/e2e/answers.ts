/** Answers of the server, made up for states that a real one is hard to bring into. */

import type { Page, Route } from "@playwright/test";
import type { components } from "../src/api/schema.gen";
import type { Meta } from "../src/content/pages";
import { agenda, outcomes } from "./agendaAnswers";
import clinic from "./clinic.json" with { type: "json" };
import { contactCounts, contacts } from "./contactAnswers";
import { funnel, heatmap, quality, ratings, timeseries, topics } from "./dashboardAnswers";
import { questionList, questions } from "./questionAnswers";
import { doctors, pageAnswersOf, sectionsOf } from "./texts";
import { queue, waitingPeople } from "./waitingAnswers";

type Schemas = components["schemas"];

export const user: Schemas["User"] = {
  id: "1",
  email: "recepcion@clinica.example",
  role: "staff",
  secondFactor: "off",
  rights: ["numbers", "people", "export", "privacy"],
};

export const unusual: Schemas["Unusual"] = {
  findings: [
    { kind: "limit", at: "2026-11-27T15:00:00.000Z" },
    { kind: "refusals", at: "2026-10-01T05:00:00.000Z", count: 52 },
    {
      kind: "drop",
      at: "2026-11-19T05:00:00.000Z",
      count: 7,
      weeks: 8,
      least: 18,
      most: 31,
      median: 22.5,
    },
  ],
  dataThrough: { position: 48211, time: "2026-11-20T23:41:07.120Z" },
};

/** Somebody who sees numbers alone. */
export const reader: Schemas["User"] = { ...user, role: "reader", rights: ["numbers"] };

/** Somebody who also manages accounts. */
export const owner: Schemas["User"] = {
  ...user,
  email: "ana@clinica.example",
  role: "owner",
  rights: [...user.rights, "accounts"],
};

/** Somebody who sees people, but takes none of their data out. */
export const receptionist: Schemas["User"] = {
  ...user,
  role: "reception",
  rights: ["numbers", "people"],
};

export const kpis: Schemas["Kpis"] = {
  totalConversations: 1284,
  totalMessages: 15731,
  avgMessagesPerConversation: 12.2515,
  totalLeads: 341,
  conversionRate: 26.5576,
  totalAppointments: 128,
  cancelledAppointments: 9,
  avgConversationDuration: 134.76,
  medianConversationDuration: 108,
  p90ConversationDuration: 260.4,
  monthlyLimit: {
    current: 806,
    limit: 1000,
    percentageUsed: 80.6,
    remaining: 194,
    limitReached: false,
  },
  dataThrough: { position: 48211, time: "2026-11-20T23:41:07.120Z" },
};

/** Summaries, newest first, one every 37 minutes before the first. */
export function conversations(count: number, first = 0): Schemas["ConversationSummary"][] {
  const newest = Date.parse("2026-11-20T23:12:00Z");
  return Array.from({ length: count }, (_, index) => {
    const number = first + index;
    return {
      id: `0c9f${String(4096 + number * 7).padStart(4, "0")}-5b1e-4d2a-9c41-6f0e2d7ab${String(number).padStart(3, "0")}`,
      startedAt: new Date(newest - number * 37 * 60_000).toISOString(),
      messageCount: 3 + ((number * 5) % 17),
      leadGenerated: number % 3 === 1,
      appointmentScheduled: number % 6 === 4,
      topics: ["precios"],
      // What was asked is missing where the person was erased.
      ...(number % 4 !== 3 && { question: `¿Cuánto cuesta la limpieza número ${number}?` }),
      ...(number % 5 === 4 && {
        flags: ["complaint"],
        reasons: [
          {
            reason: "complaint",
            at: "2026-11-20T23:12:00Z",
            attendedAt: "2026-11-20T23:20:00Z",
            attendedBy: "ana@clinica.example",
          },
        ],
      }),
    };
  });
}

export const messages: Schemas["ConversationMessage"][] = [
  {
    id: "1",
    message: "Buenas tardes, ¿atienden los sábados?",
    isUser: true,
    timestamp: "2026-11-20T23:12:00Z",
  },
  {
    id: "2",
    message:
      "¡Buenas tardes! Sí, los sábados atendemos de 9:00 a. m. a 3:00 p. m.\n¿Desea agendar una cita? Puede hacerlo aquí: https://reservas.clinica-regency.example/",
    isUser: false,
    aiModel: "bitacora-embedded-1",
    timestamp: "2026-11-20T23:12:02Z",
  },
  {
    id: "3",
    message: "<b>Perfecto</b>, me interesa una limpieza. [aquí](javascript:alert(1))",
    isUser: true,
    timestamp: "2026-11-20T23:13:40Z",
  },
  {
    id: "4",
    message: "¿A qué número le llamamos?",
    isUser: false,
    rating: "negative",
    ratingReason: "incomplete",
    timestamp: "2026-11-20T23:13:41Z",
  },
];

type Answer = (route: Route) => Promise<void>;

/** Answers with a body and a status. */
export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Answer {
  return (route) => route.fulfill({ status, headers, json: body });
}

/** Answers with a failure as the server words it. */
export function failure(status: number, more: object = {}): Answer {
  return json({ message: "No disponible.", requestId: "r-1", ...more }, status);
}

/** Never answers. */
export const neverAnswers: Answer = () => new Promise(() => {});

/** Pages of a list as the server cuts them. */
export function list(all: readonly unknown[]): Answer {
  return async (route) => {
    const url = new URL(route.request().url());
    const { searchParams } = url;
    const from = Number(searchParams.get("offset") ?? searchParams.get("cursor") ?? 0);
    const to = from + Number(url.searchParams.get("limit") ?? all.length);
    const headers: Record<string, string> = {
      "X-Total-Count": String(all.length),
      "X-Data-Through": "position=48211; time=2026-11-20T23:41:07.120Z",
    };
    if (to < all.length) {
      url.searchParams.set("cursor", String(to));
      headers.Link = `<${url.pathname}${url.search}>; rel="next"`;
    }
    await json(all.slice(from, to), 200, headers)(route);
  };
}

const postTitles = [
  "Por qué sangran las encías",
  "Cepillarse bien: guía práctica",
  "Brackets o alineadores",
  "Bruxismo: cuando aprietas de noche",
];

/** Posts as a list has them, newest first. */
export const posts: Schemas["Post"][] = postTitles.map((title, index) => ({
  id: `${index}`,
  title,
  excerpt: `Extracto ${index + 1}: lo que conviene saber antes de la cita.`,
  slug: `articulo-${index + 1}`,
  content: "",
  publishedAt: `2026-0${9 - index}-03T14:00:00.000Z`,
  topics: ["encías"],
  pageTitle: `${title} | ${clinic.name}`,
  pageDescription: `Extracto ${index + 1}: lo que conviene saber antes de la cita.`,
}));

/** A service as a record of its own has it. */
export function service(title: string, slug: string): Schemas["Service"] {
  return {
    id: slug,
    title,
    description: `${title}: lo esencial en una frase.`,
    content: "<h2>Para quién</h2><p>Una <strong>lámina</strong> fina.</p>",
    slug,
    icon: "fa-gem",
    imageUrl: `/img/services/${slug}.webp`,
    specialty: false,
    pageTitle: `${title} | ${clinic.name}`,
    pageDescription: `${title}: lo esencial en una frase.`,
  };
}

/** The same of one of the project's own, which may show sections in the place of its text. */
function ownService(slug: string): Schemas["Service"] {
  const page = sectionsOf(slug) as { meta: Meta; [part: string]: unknown } | undefined;
  return {
    ...service("Carillas", slug),
    ...(page && { page, pageTitle: page.meta.title, pageDescription: page.meta.description }),
  };
}

export const services: Schemas["Service"][] = [
  service("Ortodoncia", "ortodoncia"),
  service("Implantes dentales", "implantes-dentales"),
  service("Carillas", "carillas"),
];

export const testimonials: Schemas["Testimonial"][] = [
  ["Yariela M.", 5],
  ["Rogelio A.", 4],
  ["Kathia L.", 5],
  ["Dimas R.", 3],
].map(([name, rating], index) => ({
  id: `${index}`,
  name: `${name}`,
  comment: `Comentario ${index + 1}.`,
  rating: Number(rating),
  location: "Betania",
}));

/** What the server is asked, by name. */
const calls = {
  services: "**/api/services",
  featured: "**/api/services/featured",
  service: "**/api/services/slug/*",
  doctors: "**/api/doctors",
  doctor: "**/api/doctors/slug/*",
  nextFree: "**/api/agenda/*",
  testimonials: "**/api/testimonials",
  visits: "**/api/visits",
  status: "**/api/chatbot/status",
  chat: "**/api/chatbot",
  stream: "**/api/chatbot/stream",
  conversation: "**/api/chatbot/conversation",
  conversationErase: "**/api/chatbot/conversation/erase",
  rating: "**/api/chatbot/rating",
  privacy: "**/api/privacy",
  posts: "**/api/blog",
  post: "**/api/blog/slug/*",
  contact: "**/api/contact",
  user: "**/api/auth/user",
  login: "**/api/auth/login",
  logout: "**/api/auth/logout",
  password: "**/api/auth/password",
  secondFactor: "**/api/auth/second-factor",
  secondFactorBegin: "**/api/auth/second-factor/begin",
  secondFactorConfirm: "**/api/auth/second-factor/confirm",
  secondFactorRemove: "**/api/auth/second-factor/remove",
  sessions: "**/api/auth/sessions",
  sessionsEnd: "**/api/auth/sessions/end",
  accounts: "**/api/accounts",
  accountChange: "**/api/accounts/*/**",
  audit: /\/api\/audit(\?.*)?$/,
  kpis: "**/api/dashboard/kpis?*",
  conversations: "**/api/dashboard/conversations?*",
  messages: "**/api/dashboard/conversation/*/messages",
  timeseries: "**/api/dashboard/timeseries?*",
  funnel: "**/api/dashboard/funnel?*",
  heatmap: "**/api/dashboard/heatmap?*",
  topics: "**/api/dashboard/topics?*",
  reports: "**/api/dashboard/reports?*",
  answers: "**/api/dashboard/answers",
  answer: "**/api/dashboard/answers/*",
  answerForm: "**/api/dashboard/answer-form",
  preview: "**/api/dashboard/answers/preview",
  undo: "**/api/dashboard/answers/*/undo",
  quality: "**/api/dashboard/quality?*",
  ratings: "**/api/dashboard/ratings?*",
  outcomes: "**/api/dashboard/outcomes?*",
  agenda: "**/api/dashboard/agenda",
  unusual: "**/api/dashboard/unusual",
  outcome: "**/api/dashboard/conversation/*/booking/*/outcome",
  contacts: "**/api/dashboard/contacts?*",
  contactCounts: "**/api/dashboard/contacts/counts?*",
  requests: /\/api\/dashboard\/contacts\/requests(\?.*)?$/,
  requestDone: "**/api/dashboard/contacts/*/*/requests/*",
  contactStatus: "**/api/dashboard/contacts/*/*/status",
  contactNotes: "**/api/dashboard/contacts/*/*/notes",
  person: "**/api/dashboard/contacts/*/*/person",
  restriction: "**/api/dashboard/contacts/*/*/person/restriction",
  erasure: "**/api/dashboard/contacts/*/*/person/erasure",
  booking: "**/api/dashboard/conversation/*/booking",
  questions: "**/api/dashboard/questions?*",
  dismissal: "**/api/dashboard/questions/dismissal",
  waiting: /\/api\/dashboard\/waiting(\?.*)?$/,
  attempts: "**/api/dashboard/waiting/*/*/attempts",
  undoAttempt: "**/api/dashboard/waiting/*/*/attempts/*/undo",
  live: "**/api/dashboard/live",
  ready: "**/readyz",
};

export type Answers = Partial<Record<keyof typeof calls, Answer>>;

/** What the server says of itself. Unless a test says so it is not well: what failed stays as it is. */
export function health(clickhouse: "ok" | "unavailable"): Answer {
  const status = clickhouse === "ok" ? "ready" : "degraded";
  return json({ status, postgres: "ok", clickhouse, version: "test" });
}

const unrendered = new WeakSet<Page>();
const clinics = new WeakMap<Page, typeof clinic>();

/** Makes a page that of a clinic of which some facts are other ones. */
export function setClinic(page: Page, facts: object): void {
  clinics.set(page, { ...clinic, ...facts });
}

/** Gives the clinic pages outside of its own site. */
export function linkClinic(page: Page): void {
  const at = (name: string) => `https://${name}.clinica.test/`;
  const places = { map: at("mapas"), mapPage: at("mapas") };
  const social = [{ name: "Instagram", href: at("instagram") }];
  setClinic(page, {
    links: { booking: at("reservas"), video: at("video"), ...places, social },
  });
}

/** The data of a page that shows nothing yet: what is known of the clinic, and the texts. */
function clinicData(page: Page): string {
  const facts = clinics.get(page) ?? clinic;
  const data = JSON.stringify({ ...pageAnswersOf(facts), "/api/clinic": facts });
  return `<script type="application/json" id="page-data">${data}</script>`;
}

/** Lets a page begin as without a server: what comes with it are answers as well. */
async function serveUnrendered(page: Page): Promise<void> {
  if (unrendered.has(page)) return;
  unrendered.add(page);
  await page.route(calls.ready, health("unavailable"));
  await page.route("**/*", async (route) => {
    if (!route.request().isNavigationRequest()) return route.fallback();
    const response = await route.fetch();
    const text = await response.text();
    const body = text
      .replace(
        /(<div id="root">)[\s\S]*<\/div><script type="application\/json" id="page-data">[\s\S]*?<\/script>/,
        "$1</div>",
      )
      .replace('<div id="root"></div>', (root) => root + clinicData(page));
    await route.fulfill({ response, body });
  });
}

const reports = ["funnel", "heatmap", "topics", "quality", "ratings", "outcomes"] as const;
const replies = new WeakMap<Page, Answers>();

/** All reports in one answer, which fails or waits where one of them does. */
function together(answers: Answers): Answer {
  return async (route) => {
    const found: Record<string, unknown> = {};
    for (const name of reports) {
      let failed: Parameters<Route["fulfill"]>[0];
      await answers[name]?.({
        request: () => route.request(),
        abort: (code) => route.abort(code),
        async fulfill(reply) {
          found[name] = reply?.json;
          if (reply?.status !== 200) failed = reply;
        },
      } as Route);
      if (failed) return await route.fulfill(failed);
      if (found[name] === undefined) return;
    }
    await json(found)(route);
  };
}

/** Makes the server answer like this; a later call replaces what it names. */
export async function answer(page: Page, answers: Answers): Promise<void> {
  await serveUnrendered(page);
  for (const [name, reply] of Object.entries(answers)) {
    await page.route(calls[name as keyof typeof calls], reply);
  }
  if (!reports.some((name) => name in answers)) return;
  replies.set(page, { ...replies.get(page), ...answers });
  await page.route(calls.reports, (route) => together(replies.get(page) ?? {})(route));
}

/** A signed-in user before a full dashboard. */
export const dashboard: Answers = {
  user: json(user),
  kpis: json(kpis),
  conversations: list(conversations(137)),
  messages: json(messages),
  timeseries: json(timeseries),
  funnel: json(funnel),
  heatmap: json(heatmap),
  topics: json(topics),
  answers: json({ answers: [], dataThrough: topics.dataThrough }),
  quality: json(quality),
  ratings: json(ratings),
  outcomes: json(outcomes),
  agenda: json(agenda),
  unusual: json(unusual),
  contacts: list(contacts(60)),
  contactCounts: json(contactCounts),
  questions: json(questionList(questions(6))),
  waiting: queue(waitingPeople(3)),
  // No news: a slow machine would otherwise see the half minute pass after which the page asks anew.
  live: neverAnswers,
  secondFactor: json({ on: false, recoveryCodes: 0 }),
  logout: (route) => route.fulfill({ status: 204 }),
};

/** A visitor whose chat answers. */
export const site: Answers = {
  visits: (route) => route.fulfill({ status: 204 }),
  status: json({ limitReached: false }),
  stream: failure(404),
  conversation: failure(404),
  chat: json({ response: "Atendemos de lunes a viernes.", messageId: "m" }),
  services: json(services),
  featured: json(services),
  service: (route) => {
    const slug = route.request().url().split("/").at(-1) ?? "";
    return json(ownService(slug))(route);
  },
  doctors: json(doctors),
  doctor: (route) => {
    const slug = route.request().url().split("/").at(-1);
    const found = doctors.find((doctor) => doctor.slug === slug && doctor.page);
    return (found ? json(found) : failure(404))(route);
  },
  nextFree: json({ at: "2030-03-04T15:00:00Z" }),
  testimonials: json(testimonials),
  posts: json(posts),
};
