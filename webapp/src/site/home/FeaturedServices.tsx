import { useContent } from "../../api/content";
import { homeTexts } from "../../content/home";
import { LinkButton } from "../../ui/Button";
import { ArrowRightIcon } from "../../ui/icons";
import { CardSkeletons } from "../CardSkeletons";
import { Notice } from "../Notice";
import { SectionHeading } from "../SectionHeading";
import { ServiceCard } from "../services/ServiceCard";

const { heading, intro, all, loading, error, empty } = homeTexts.services;
const skeletons = 3;

/** The services that the clinic puts first. */
export function FeaturedServices() {
  return (
    <section className="bg-sand-100">
      <div className="page py-16 sm:py-24">
        <SectionHeading heading={heading} intro={intro} />
        <div className="mt-10">
          <Services />
        </div>
        <LinkButton className="mt-10" href="/services" variant="secondary" size="large">
          {all}
          <ArrowRightIcon />
        </LinkButton>
      </div>
    </section>
  );
}

function Services() {
  const { data, failed } = useContent("/api/services/featured");
  if (failed) return <Notice failed text={error} />;
  if (!data) return <CardSkeletons count={skeletons} label={loading} />;
  if (data.length === 0) return <Notice text={empty} />;
  return (
    <ul className="grid gap-6 md:grid-cols-2 lg:grid-cols-3">
      {data.map((service) => (
        <ServiceCard key={service.id} service={service} />
      ))}
    </ul>
  );
}
