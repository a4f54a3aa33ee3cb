import { useContent } from "../../api/content";
import { serviceListTexts } from "../../content/services";
import { CallToAction } from "../CallToAction";
import { CardSkeletons } from "../CardSkeletons";
import { Notice } from "../Notice";
import { PageBanner } from "../PageBanner";
import { ServiceCard } from "./ServiceCard";

const { hero, intro, loading, error, empty } = serviceListTexts;
const skeletons = 6;

/** All services. */
export function ServicesPage() {
  return (
    <>
      <PageBanner text={hero.text} title={hero.title} />
      <section className="page py-14 sm:py-20">
        {intro.map((paragraph) => (
          <p className="mb-10 max-w-[44rem] text-pretty text-lg leading-8" key={paragraph}>
            {paragraph}
          </p>
        ))}
        <h2 className="sr-only">{hero.title}</h2>
        <Services />
      </section>
      <CallToAction />
    </>
  );
}

function Services() {
  const { data, failed } = useContent("/api/services");
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
