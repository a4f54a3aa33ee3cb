import type { Schemas } from "../api/client";
import { textsCall } from "../api/content";
import { addressLine, clinic, noAccount } from "../content/clinic";
import type { PageTexts } from "../content/pages";
import type { SpecialtyTexts } from "../content/specialties";
import { stars, testimonialsShown } from "../site/home/shown";
import { type Head, siteImage } from "./head";

type SiteTexts = PageTexts["site"];
type Service = Schemas["Service"];
type Person = Schemas["Profile"];
type Testimonial = Schemas["Testimonial"];

type Item = Readonly<Record<string, unknown>>;

/** What search engines read about a page, as the items of schema.org; only the server writes it. */
export function jsonLd(head: Head, data: Record<string, unknown>, origin: string): Item[] {
  const { canonical } = head;
  const texts = data[textsCall("site")] as SiteTexts | undefined;
  if (!texts) return [];
  const [, folder = "", slug] = canonical.split("/");
  const record = slug && data[`/api/${folder === "about" ? "doctors" : folder}/slug/${slug}`];
  return [
    clinicItem(texts, canonical, origin, {
      team: data["/api/doctors"] as Person[] | undefined,
      testimonials: data["/api/testimonials"] as Testimonial[] | undefined,
    }),
    ...(canonical === "/" ? [] : [breadcrumbs(head, texts, origin)]),
    ...(record ? (ofRecord[folder]?.(head, record, origin) ?? []) : []),
  ].map((item) => ({ "@context": "https://schema.org", ...told(item) }));
}

/** What the page of a record says beside what every page says, by the page's folder. */
const ofRecord: Readonly<
  Record<string, (head: Head, record: unknown, origin: string) => readonly Item[]>
> = {
  services: (head, record, origin) => [
    procedure(head, record as Service, origin),
    ...questions(record as Service),
  ],
  about: (head, record, origin) => [physician(head, record as Person, origin)],
  blog: (head, record, origin) => [article(head, record as Schemas["Post"], origin)],
};

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

/** What a page shows of people. */
interface Told {
  readonly team?: readonly Person[] | undefined;
  readonly testimonials?: readonly Testimonial[] | undefined;
}

/** The clinic: on every page what every page shows, and the rest on the page that shows it. */
function clinicItem(
  texts: SiteTexts,
  page: string,
  origin: string,
  { team = [], testimonials = [] }: Told,
): Item {
  const { booking, map, mapPage, social } = clinic.links;
  return {
    "@type": "Dentist",
    "@id": idOf(origin),
    name: clinic.name,
    slogan: clinic.tagline,
    description: texts.footer.about,
    email: clinic.email,
    areaServed: clinic.address.city,
    url: `${origin}/`,
    image: origin + siteImage(),
    telephone: telephones(),
    address: addressItem(),
    geo: clinic.address.position && { "@type": "GeoCoordinates", ...clinic.address.position },
    knowsLanguage: clinic.languages,
    sameAs: social.map(({ href }) => href).filter((href) => href !== noAccount),
    hasMap: page === "/contact" ? map && mapPage : undefined,
    potentialAction: booking && {
      "@type": "ReserveAction",
      name: texts.header.book,
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
    employee: page === "/about" ? team.map((person) => employee(person, origin)) : undefined,
    review: testimonials
      .slice(0, testimonialsShown)
      .filter(({ madeUp }) => !madeUp)
      .map(review),
    ...(page === "/contact" && practical()),
  };
}

/** What a patient says. */
const review = ({ name, comment, rating }: Testimonial): Item => ({
  "@type": "Review",
  author: { "@type": "Person", name },
  reviewRating: { "@type": "Rating", ratingValue: rating, bestRating: stars, worstRating: 0 },
  reviewBody: comment,
});

/** One of the people whom the page about the clinic shows. */
const employee = ({ name, title, slug, page }: Person, origin: string): Item =>
  told({
    "@type": "Person",
    name,
    jobTitle: title,
    url: page ? `${origin}/about/${slug}` : undefined,
  });

/** What the contact page alone tells. */
function practical(): Item {
  const { languages, payment, phones, priceRange } = clinic;
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

function breadcrumbs({ canonical, title }: Head, texts: SiteTexts, origin: string): Item {
  const named: Readonly<Record<string, string>> = texts.breadcrumbs;
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
  { title, minutes, price }: Service,
  origin: string,
): Item {
  return {
    "@type": "MedicalProcedure",
    name: title,
    description,
    image: origin + image.source,
    url: origin + canonical,
    relevantSpecialty: dentistry,
    duration: minutes && `PT${minutes}M`,
    offers: price && {
      "@type": "Offer",
      priceSpecification: told({
        "@type": "PriceSpecification",
        minPrice: price.from,
        maxPrice: price.to,
        priceCurrency: price.currency,
      }),
    },
  };
}

/** The questions that a service's page answers. */
function questions({ page, questions: answered = [] }: Service): Item[] {
  const { sections = [] } = (page ?? {}) as Partial<SpecialtyTexts>;
  const own = sections.flatMap((section) => (section.kind === "faq" ? section.items : []));
  const asked = own.length > 0 ? own : answered;
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
function physician({ canonical }: Head, person: Person, origin: string): Item {
  const { name, specialty, languages, registration } = person;
  return {
    "@type": "Physician",
    name,
    description: specialty,
    url: origin + canonical,
    medicalSpecialty: dentistry,
    knowsLanguage: languages,
    identifier: registration,
    telephone: telephones(),
    address: addressItem(),
    parentOrganization: { "@id": idOf(origin) },
  };
}

function article(
  { canonical, description, image }: Head,
  { title, publishedAt }: Schemas["Post"],
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
