import { addressLine, clinic } from "../content/clinic";
import { fillAll } from "../content/fill";
import texts from "../content/pages/json-ld.json";
import type { Head } from "./head";

/** What search engines read about a page, as the items of schema.org; only the server writes it. */
export function jsonLd(head: Head, data: Record<string, unknown>, origin: string): unknown[] {
  const { canonical } = head;
  const items: unknown[] = [];
  if (canonical === "/") items.push(clinicItem(origin));
  else items.push(breadcrumbs(head, origin));
  if (canonical.startsWith("/blog/")) {
    const post = data[`/api/blog/slug/${canonical.slice("/blog/".length)}`];
    if (post) items.push(article(head, post as { title: string; publishedAt: string }, origin));
  }
  return items;
}

const weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

function clinicItem(origin: string): unknown {
  const { address, ...organization } = fillAll(texts.organization);
  return {
    ...organization,
    telephone: clinic.phones.map(({ label }) => label),
    address: { ...address, streetAddress: addressLine(clinic.address) },
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

const named: Readonly<Record<string, string>> = texts.breadcrumbs;

function breadcrumbs({ canonical, title }: Head, origin: string): unknown {
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
    inLanguage: "es-PA",
    author: { "@id": `${origin}/#clinica` },
    publisher: { "@id": `${origin}/#clinica` },
  };
}
