/** Every state in which the staff's pages can be looked at. */
import type { Page } from "@playwright/test";
import { accounts, entries, sessions } from "./accountAnswers";
import { agenda } from "./agendaAnswers";
import {
  type Answers,
  conversations,
  dashboard,
  failure,
  json,
  kpis,
  list,
  neverAnswers,
  owner,
  reader,
  site,
} from "./answers";
import { contactCounts, contacts, hostile, person } from "./contactAnswers";
import { questionList } from "./questionAnswers";
import type { State } from "./states";
import { form, taught } from "./taughtAnswers";
import { expect, listRow } from "./test";
import { everybody, listOf, queue } from "./waitingAnswers";

export const whole: Answers = {
  ...site,
  ...dashboard,
  user: json(owner),
  sessions: json(sessions),
  accounts: json(accounts),
  audit: json(entries),
  answers: json({ answers: [taught], dataThrough: { position: 9 } }),
  answerForm: json(form),
  contacts: list([hostile, ...contacts(6)]),
  person: json(person),
  waiting: queue(everybody),
};

const all = (answers: Answers, reply: NonNullable<Answers["kpis"]>): Answers =>
  Object.fromEntries(
    Object.keys(answers)
      .filter((name) => !["user", "logout", "live", "visits", "status"].includes(name))
      .map((name) => [name, reply]),
  );
const slow = all(whole, neverAnswers);
const failing = all(whole, failure(503));
const empty: Answers = {
  conversations: list([]),
  contacts: list([]),
  questions: json(questionList([])),
  kpis: json({ ...kpis, totalConversations: 0, totalMessages: 0, totalLeads: 0 }),
};

const heading = (page: Page) => expect(page.getByRole("heading").first()).toBeVisible();
const waits = (page: Page) =>
  expect(page.getByRole("status").or(page.locator("[aria-busy=true]")).first()).toBeAttached();
const fails = (page: Page) => expect(page.getByRole("alert").first()).toBeVisible();
const press = (name: string | RegExp) => (page: Page) =>
  page.getByRole("button", { name }).first().click();
const dialog = (page: Page) => expect(page.getByRole("dialog")).toBeVisible();

const state = (
  name: string,
  path: string,
  reach: State["reach"] = heading,
  answers: Answers = {},
): State => ({ name: `${path}, ${name}`, path, reach, answers: { ...whole, ...answers } });

/** A page as it is, slow, failing. */
const stages = (path: string): State[] => [
  state("whole", path),
  state("slow", path, waits, slow),
  state("failing", path, fails, failing),
];

const tabs = ["", "?vista=analiticas", "?vista=contactos", "?vista=preguntas"].map(
  (view) => `/dashboard${view}`,
);
const pages = [
  "/dashboard/hoy",
  "/dashboard/bandeja",
  "/dashboard/cuenta",
  "/dashboard/cuentas",
  "/dashboard/actividad",
  "/dashboard/respuestas",
  "/dashboard/respuestas/nueva",
  "/dashboard/agenda",
];
const overdue = {
  id: "r1",
  request: "copy",
  askedAt: "2026-11-02T15:00:00.000Z",
  dueAt: "2026-11-17T04:59:59.000Z",
};
const first = conversations(1)[0]?.id ?? "";

/** The dashboard and all around it, page by page and state by state. */
export const staffStates: readonly State[] = [
  state("the form", "/login", heading, { user: failure(401) }),
  state(
    "nothing filled in",
    "/login",
    async (page) => {
      await press("Iniciar sesión")(page);
      await expect(page.getByLabel("Notificaciones")).toContainText("Campos requeridos");
    },
    { user: failure(401) },
  ),
  ...[...tabs, ...pages].flatMap(stages),
  ...tabs.map((path) => state("empty", path, heading, empty)),
  state("nobody waits", "/dashboard/hoy", heading, { waiting: json(listOf([])) }),
  state("nobody waits", "/dashboard/bandeja", heading, { waiting: json(listOf([])) }),
  state("a conversation", "/dashboard/bandeja?persona=lead/w0", (page) =>
    expect(page.getByTestId("history").getByRole("listitem").first()).toBeVisible(),
  ),
  state("the transcript", `/dashboard?conversacion=${first}`, dialog),
  state("a slow transcript", `/dashboard?conversacion=${first}`, dialog, {
    messages: neverAnswers,
  }),
  state("no transcript", `/dashboard?conversacion=${first}`, dialog, { messages: failure(503) }),
  state("the period", "/dashboard", async (page) => {
    await press(/^Período:/)(page);
    await dialog(page);
  }),
  state("the export", "/dashboard", press("Exportar")),
  state("the table", "/dashboard", async (page) => {
    await page.getByText("Ver datos en tabla").first().click();
    await expect(page.getByRole("table").first()).toBeVisible();
  }),
  state("the shortcuts", "/dashboard", async (page) => {
    // The heading is there before the keys are listened to.
    await expect(async () => {
      await page.keyboard.press("?");
      await expect(page.getByRole("dialog")).toBeVisible({ timeout: 500 });
    }).toPass();
  }),
  state("a filter", "/dashboard?lead=si&tema=precios&q=muela"),
  state("the last of many rows", "/dashboard", (page) => listRow(page, 633), {
    conversations: list(conversations(633)),
  }),
  state("the notes of the chart", "/dashboard", async (page) => {
    await page.getByRole("button", { name: "Notas", exact: true }).click();
    await dialog(page);
  }),
  ...["/dashboard?vista=analiticas", "/dashboard/hoy", "/dashboard/agenda"].map((path) =>
    state("for a reader", path, heading, {
      user: json(reader),
      waiting: json(listOf(everybody, { people: [] })),
      agenda: json({ ...agenda, days: agenda.days.map(({ list: _, ...counts }) => counts) }),
    }),
  ),
  state("first contacts", "/dashboard/hoy", async (page) => {
    await page.locator("summary").first().click();
    await expect(page.getByRole("table").first()).toBeVisible();
  }),
  state("somebody was seen to", "/dashboard/hoy", press("Hecho"), {
    attempts: json({ id: "a1", outcome: "done", at: "2026-11-20T15:00:00.000Z" }),
  }),
  state("requests about data", "/dashboard?vista=contactos", press("Ver las solicitudes"), {
    contactCounts: json({ ...contactCounts, openRequests: 1 }),
    requests: json([{ ...hostile, requests: [overdue] }]),
  }),
  state("a status", "/dashboard?vista=contactos", async (page) => {
    await press(/^Estado de/)(page);
    await expect(page.getByRole("menu")).toBeVisible();
  }),
  state("the notes", "/dashboard?vista=contactos", press("1 nota")),
  state("a booking", "/dashboard?vista=contactos", async (page) => {
    await press("Marcar cita")(page);
    await dialog(page);
  }),
  state("a booking for who wrote by the form", "/dashboard?vista=contactos", async (page) => {
    const row = page.locator('[data-kind="message"]').last();
    await row.getByRole("button", { name: "Marcar cita" }).click();
    await dialog(page);
  }),
  state("a person", "/dashboard?vista=contactos", async (page) => {
    await press("Sus datos")(page);
    await expect(page.getByRole("dialog").getByRole("listitem")).toHaveCount(2);
  }),
];
