import { useContent } from "../../api/content";
import { CardSkeletons } from "../CardSkeletons";
import { Notice } from "../Notice";
import { SwipeRow } from "../SwipeRow";
import { ServiceCard } from "./ServiceCard";

interface ServiceGridProps {
  readonly path: "/api/services" | "/api/services/featured";
  /** How many placeholders are shown before. */
  readonly placeholders: number;
  /** The name of the row in which a phone shows them; without it they stand below each other. */
  readonly row?: string;
  readonly texts: Readonly<Record<"loading" | "error" | "empty" | "more" | "moreAbout", string>>;
}

/** The services that a call gives, as cards. */
export function ServiceGrid({ path, placeholders, row, texts }: ServiceGridProps) {
  const { data, failed, load } = useContent(path);
  if (failed) return <Notice failed onRetry={load} text={texts.error} />;
  if (!data) return <CardSkeletons count={placeholders} label={texts.loading} />;
  if (data.length === 0) return <Notice text={texts.empty} />;
  const cards = data.map((service) => (
    <ServiceCard key={service.id} service={service} texts={texts} />
  ));
  if (row) return <SwipeRow label={row}>{cards}</SwipeRow>;
  return <ul className="grid gap-6 md:grid-cols-2 lg:grid-cols-3">{cards}</ul>;
}
