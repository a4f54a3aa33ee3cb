import { addressLine, clinic } from "../content/clinic";
import { doctors } from "../content/doctors";
import { fillAll } from "../content/fill";
import texts from "../content/pages/json-ld.json";
import { siteTexts } from "../content/site";
import type { SpecialtyTexts } from "../content/specialties";
import type { Head } from "./head";

type Item = Readonly<Record<string, unknown>>;

/** What search engines read about a page, as the items of schema.org; only the server writes it. */
export function jsonLd(head: Head, data: Record<string, unknown>, origin: string): Item[] {
  const { canonical } = head;
  const [, folder, slug = ""] = canonical.split("/");
  const record = data[`/api/${folder}/slug/${slug}`];
  return [
    clinicItem(canonical, origin),
    ...(canonical === "/" ? [] : [breadcrumbs(head, origin)]),
    ...(folder === "services" && record ? [procedure(head, record as Titled, origin)] : []),
    ...(folder === "services" ? questions(slug) : []),
    ...(folder === "about" ? physician(head, slug, origin) : []),
    ...(folder === "blog" && record ? [article(head, record as Published, origin)] : []),
  ].map((item) => ({ "@context": "https://schema.org", ...told(item) }));
}

interface Titled {
  readonly title: string;
}

interface Published extends Titled {
  readonly publishedAt: string;
}

/** An item without what the clinic does not tell. */
function told(item: Item): Item {
  const isTold = (value: unknown) =>
    value !== undefined && value !== "" && !(Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(item).filter(([, value]) => isTold(value)));
}

const weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

const idOf = (origin: string) => `${origin}/#clinica`;

function addressItem(): Item {
  return told({
    "@type": "PostalAddress",
    streetAddress: addressLine(clinic.address),
    addressLocality: clinic.address.city,
    addressCountry: clinic.country?.code,
  });
}

const telephones = () => clinic.phones.map(({ label }) => label);

/** The clinic: on every page what every page shows, and the rest on the page that shows it. */
function clinicItem(page: string, origin: string): Item {
  const { booking, map } = clinic.links;
  return {
    "@type": "Dentist",
    "@id": idOf(origin),
    ...fillAll({ ...texts.organization, description: siteTexts.footer.about }),
    url: `${origin}/`,
    image: `${origin}/img/share.png`,
    telephone: telephones(),
    address: addressItem(),
    hasMap: page === "/contact" ? map : undefined,
    potentialAction: booking && {
      "@type": "ReserveAction",
      name: siteTexts.header.book,
      target: booking,
    },
    openingHoursSpecification: clinic.hours.flatMap((line) =>
      line.spans.map((span) => ({
        "@type": "OpeningHoursSpecification",
        dayOfWeek: line.weekdays.map((day) => weekdays[day]),
        ...span,
      })),
    ),
    specialOpeningHoursSpecification: clinic.specialDays.flatMap(specialHours),
    foundingDate: page === "/about" ? clinic.founded?.toString() : undefined,
    ...(page === "/contact" && practical()),
  };
}

/** What the contact page alone tells. */
function practical(): Item {
  const { doctors: people, languages, payment, phones, priceRange } = clinic;
  return {
    priceRange,
    paymentAccepted: payment.methods.join(", "),
    currenciesAccepted: payment.currencies.join(", "),
    contactPoint:
      languages.length === 0
        ? undefined
        : {
            "@type": "ContactPoint",
            contactType: "customer service",
            telephone: phones[0].label,
            availableLanguage: languages,
          },
    employee: people.map(({ name, profession }) => ({
      "@type": "Person",
      name,
      jobTitle: profession,
    })),
  };
}

/** A closed day is one that opens and closes at midnight. */
const closed = [{ opens: "00:00", closes: "00:00" }];

function specialHours({ from, until, spans }: (typeof clinic.specialDays)[number]): Item[] {
  return (spans.length > 0 ? spans : closed).map((span) => ({
    "@type": "OpeningHoursSpecification",
    validFrom: from,
    validThrough: until,
    ...span,
  }));
}

const named: Readonly<Record<string, string>> = texts.breadcrumbs;

function breadcrumbs({ canonical, title }: Head, origin: string): Item {
  const parts = canonical.split("/").slice(1);
  const paths = ["/", ...parts.map((_, index) => `/${parts.slice(0, index + 1).join("/")}`)];
  return {
    "@type": "BreadcrumbList",
    itemListElement: paths.map((path, index) => ({
      "@type": "ListItem",
      position: index + 1,
      name: named[path] ?? title.split(" | ")[0],
      item: origin + path,
    })),
  };
}

const dentistry = "https://schema.org/Dentistry";

function procedure(
  { canonical, description, image }: Head,
  { title }: Titled,
  origin: string,
): Item {
  return {
    "@type": "MedicalProcedure",
    name: title,
    description,
    image: origin + image.source,
    url: origin + canonical,
    relevantSpecialty: dentistry,
  };
}

const specialties: Readonly<Record<string, SpecialtyTexts>> = import.meta.glob(
  "../content/pages/service-*.json",
  { eager: true, import: "default" },
);

/** The questions that a service's page answers. */
function questions(slug: string): Item[] {
  const { sections = [] } = fillAll(specialties[`../content/pages/service-${slug}.json`]) ?? {};
  const asked = sections.flatMap((section) => (section.kind === "faq" ? section.items : []));
  if (asked.length === 0) return [];
  return [
    {
      "@type": "FAQPage",
      mainEntity: asked.map(({ question, answer }) => ({
        "@type": "Question",
        name: question,
        acceptedAnswer: { "@type": "Answer", text: answer },
      })),
    },
  ];
}

/** The doctor whom a page is about. */
function physician({ canonical }: Head, slug: string, origin: string): Item[] {
  const doctor = doctors.find((known) => known.slug === slug);
  if (!doctor) return [];
  return [
    {
      "@type": "Physician",
      name: doctor.name,
      description: doctor.specialty,
      url: origin + canonical,
      medicalSpecialty: dentistry,
      telephone: telephones(),
      address: addressItem(),
      parentOrganization: { "@id": idOf(origin) },
    },
  ];
}

function article(
  { canonical, description, image }: Head,
  { title, publishedAt }: Published,
  origin: string,
): Item {
  const publisher = {
    "@type": "Dentist",
    "@id": idOf(origin),
    name: clinic.name,
    url: `${origin}/`,
  };
  return {
    "@type": "BlogPosting",
    headline: title,
    description,
    datePublished: publishedAt,
    image: origin + image.source,
    mainEntityOfPage: origin + canonical,
    inLanguage: clinic.locale,
    author: publisher,
    publisher,
  };
}
