/** The project's own content as the server would send it, for tests that have none. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { components } from "../src/api/schema.gen";
import type { PageLink, PageTexts } from "../src/content/pages";
import clinic from "./clinic.json" with { type: "json" };

type Schemas = components["schemas"];

const content = resolve(import.meta.dirname, "../../domain/clinic/content");
type Facts = Readonly<Record<string, string>>;
type Clinic = typeof clinic;

/** What texts name; empty for what the clinic does not tell. */
function factsOf({ address, links, phones, ...told }: Clinic): Facts {
  const street = `${address.street}, ${address.building}`;
  return {
    clinicName: told.name,
    phone1: phones[0]?.label ?? "",
    phone1Url: phones[0]?.href ?? "",
    email: told.email,
    emergency: told.emergency,
    founded: `${told.founded}`,
    experience: `${told.experience}`,
    countryName: told.country.name,
    privacyLaw: told.privacyLaw,
    bookingUrl: links.booking,
    city: address.city,
    theCity: address.city.replace(/^Ciudad /, "la $&"),
    street: address.street,
    streetLine: street,
    addressLine: `${street}, ${address.floor.charAt(0).toUpperCase()}${address.floor.slice(1)}`,
    requestDays: `${told.requestDays}`,
  };
}

/** In the clinic's words, as `clinic.FillFirst` of the server writes them. */
function filled(text: string, facts: Facts): string {
  const told = (one: string) =>
    [...one.matchAll(/\{\{(\w+)\}\}/g)].every(([, name = ""]) => facts[name] !== "");
  return (text.split(" || ").find(told) ?? "")
    .replace(/\{([^{}|]*)\|([^{}|]*)\}/g, "$1")
    .replace(/\{\{(\w+)\}\}/g, (whole, name: string) => facts[name] ?? whole);
}

function filledIn(value: unknown, facts: Facts): unknown {
  if (typeof value === "string") return filled(value, facts);
  if (Array.isArray(value)) return value.map((one) => filledIn(one, facts));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, filledIn(one, facts)]),
  );
}

const usual = factsOf(clinic);

function readTexts(file: string, facts = usual): unknown {
  return filledIn(JSON.parse(readFileSync(join(content, file), "utf8")), facts);
}

/** The head of a Markdown file, and its text. */
function readMarkdown(file: string): { head: Record<string, unknown>; text: string } {
  const [, head = "", text = ""] =
    /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(readFileSync(join(content, file), "utf8")) ?? [];
  const fields = head.split("\n").map((line) => {
    const [, name = "", value = ""] = /^(\w+): (.*)$/.exec(line) ?? [];
    const [first = ""] = value;
    return [name, filledIn('"['.includes(first) ? JSON.parse(value) : value, usual)];
  });
  return { head: Object.fromEntries(fields), text: filled(text, usual) };
}

function linkTo(slug: string): PageLink {
  const { title, menuText, badge } = readMarkdown(`services/${slug}.md`).head;
  return {
    label: `${title}`,
    path: `/services/${slug}`,
    text: `${menuText}`,
    ...(badge !== undefined && { badge: `${badge}`, highlighted: true }),
  };
}

interface Listed {
  readonly heading: string;
  readonly slugs: readonly string[];
}

function column({ heading, slugs }: Listed) {
  return { heading, links: slugs.map(linkTo) };
}

function siteTexts(facts: Facts): PageTexts["site"] {
  const { header, footer, ...rest } = readTexts("pages/site.json", facts) as PageTexts["site"] & {
    header: { menu: { columns: readonly Listed[] } };
    footer: { services: Listed };
  };
  const nav = header.nav.map((link) =>
    link.path === "/services" ? { ...link, menu: true } : link,
  );
  const menu = { ...header.menu, columns: header.menu.columns.map(column) };
  return {
    ...rest,
    header: { ...header, nav, menu },
    footer: { ...footer, services: column(footer.services) },
  };
}

const names = readdirSync(join(content, "pages")).map((file) => file.replace(".json", ""));

function textsOf(facts: Facts): PageTexts {
  return Object.fromEntries(
    names.map((name) => [
      name,
      name === "site" ? siteTexts(facts) : readTexts(`pages/${name}.json`, facts),
    ]),
  ) as unknown as PageTexts;
}

/** The texts of every page. */
export const pageTexts = textsOf(usual);

/** The texts of a clinic as answers of the server, by call. */
export function pageAnswersOf(other: Clinic): Readonly<Record<string, unknown>> {
  const texts = other === clinic ? pageTexts : textsOf(factsOf(other));
  return Object.fromEntries(
    names.map((name) => [`/api/pages/${name}`, texts[name as keyof PageTexts]]),
  );
}

/** Those of the clinic that tests are about. */
export const pageAnswers = pageAnswersOf(clinic);

/** The sections of a service's page; nothing of one that shows its text. */
export function sectionsOf(slug: string): unknown {
  const file = `services/${slug}.json`;
  return existsSync(join(content, file)) ? readTexts(file) : undefined;
}

/** The people, as the list has them. */
export const doctors: readonly Schemas["Profile"][] = readdirSync(join(content, "doctors"))
  .map((file) => readMarkdown(`doctors/${file}`))
  .sort((a, b) => Number(a.head.order) - Number(b.head.order))
  .map(({ head, text }) => ({
    id: `${head.slug}`,
    slug: `${head.slug}`,
    name: `${head.name}`,
    title: `${head.title}`,
    specialty: `${head.specialty}`,
    bio: `${head.bio}`,
    page: text !== "",
    content: text
      .trim()
      .split("\n\n")
      .map((paragraph) => `<p>${paragraph}</p>`)
      .join("\n"),
    specialties: (head.specialties ?? []) as string[],
    training: (head.training ?? []) as string[],
    affiliations: (head.affiliations ?? []) as string[],
    ...(head.service !== undefined && {
      service: {
        path: `/services/${head.service}`,
        title: `${readMarkdown(`services/${head.service}.md`).head.title}`,
      },
    }),
    pageTitle: `${head.pageTitle ?? head.name}`,
    pageDescription: `${head.pageDescription ?? head.bio}`,
  }));
