import { textsCall } from "../api/content";
import { addressLine, clinic } from "../content/clinic";
import type { PageTexts } from "../content/pages";
import type { Head } from "./head";

type SiteTexts = PageTexts["site"];

/** What search engines read about a page, as the items of schema.org; only the server writes it. */
export function jsonLd(head: Head, data: Record<string, unknown>, origin: string): unknown[] {
  const { canonical } = head;
  const items: unknown[] = [];
  const texts = data[textsCall("site")] as SiteTexts | undefined;
  if (!texts) return items;
  if (canonical === "/") items.push(clinicItem(texts, origin));
  else items.push(breadcrumbs(head, texts.breadcrumbs, origin));
  if (canonical.startsWith("/blog/")) {
    const post = data[`/api/blog/slug/${canonical.slice("/blog/".length)}`];
    if (post) items.push(article(head, post as { title: string; publishedAt: string }, origin));
  }
  return items;
}

const weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

function clinicItem({ organization }: SiteTexts, origin: string): unknown {
  const { description, foundingDate, reserve } = organization;
  const { city } = clinic.address;
  return {
    "@context": "https://schema.org",
    "@type": "Dentist",
    name: clinic.name,
    description,
    slogan: clinic.tagline,
    ...(foundingDate && { foundingDate }),
    email: clinic.email,
    areaServed: city,
    ...(clinic.links.booking && {
      potentialAction: { "@type": "ReserveAction", name: reserve, target: clinic.links.booking },
    }),
    telephone: clinic.phones.map(({ label }) => label),
    address: {
      "@type": "PostalAddress",
      addressLocality: city,
      streetAddress: addressLine(clinic.address),
    },
    priceRange: clinic.priceRange,
    ...(clinic.payment.methods.length > 0 && {
      paymentAccepted: clinic.payment.methods.join(", "),
    }),
    ...(clinic.payment.currencies.length > 0 && {
      currenciesAccepted: clinic.payment.currencies.join(", "),
    }),
    ...(clinic.languages.length > 0 && {
      contactPoint: {
        "@type": "ContactPoint",
        contactType: "customer service",
        telephone: clinic.phones[0].label,
        availableLanguage: clinic.languages,
      },
    }),
    ...(clinic.doctors.length > 0 && {
      employee: clinic.doctors.map(({ name, profession }) => ({
        "@type": "Person",
        name,
        jobTitle: profession,
      })),
    }),
    ...(clinic.specialDays.length > 0 && {
      specialOpeningHoursSpecification: clinic.specialDays.flatMap(specialHours),
    }),
    openingHoursSpecification: clinic.hours.flatMap((line) =>
      line.spans.map((span) => ({
        "@type": "OpeningHoursSpecification",
        dayOfWeek: line.weekdays.map((day) => weekdays[day]),
        ...span,
      })),
    ),
    "@id": `${origin}/#clinica`,
    url: `${origin}/`,
    image: `${origin}/img/share.png`,
  };
}

/** A closed day is one that opens and closes at midnight. */
const closed = [{ opens: "00:00", closes: "00:00" }];

function specialHours({ from, until, spans }: (typeof clinic.specialDays)[number]): unknown[] {
  return (spans.length > 0 ? spans : closed).map((span) => ({
    "@type": "OpeningHoursSpecification",
    validFrom: from,
    validThrough: until,
    ...span,
  }));
}

function breadcrumbs(
  { canonical, title }: Head,
  named: Readonly<Record<string, string>>,
  origin: string,
): unknown {
  const parts = canonical.split("/").slice(1);
  const paths = ["/", ...parts.map((_, index) => `/${parts.slice(0, index + 1).join("/")}`)];
  return {
    "@context": "https://schema.org",
    "@type": "BreadcrumbList",
    itemListElement: paths.map((path, index) => ({
      "@type": "ListItem",
      position: index + 1,
      name: named[path] ?? title.split(" | ")[0],
      item: origin + path,
    })),
  };
}

function article(
  { canonical, description, image }: Head,
  { title, publishedAt }: { readonly title: string; readonly publishedAt: string },
  origin: string,
): unknown {
  return {
    "@context": "https://schema.org",
    "@type": "BlogPosting",
    headline: title,
    description,
    datePublished: publishedAt,
    image: origin + image,
    mainEntityOfPage: origin + canonical,
    inLanguage: clinic.locale,
    author: { "@id": `${origin}/#clinica` },
    publisher: { "@id": `${origin}/#clinica` },
  };
}
