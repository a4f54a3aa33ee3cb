import { useTexts } from "../../api/content";
import { CallToAction } from "../CallToAction";
import { PageBanner } from "../PageBanner";
import { ServiceGrid } from "./ServiceGrid";

/** All services. */
export default function ServicesPage() {
  const texts = useTexts("services").list;
  const { hero, intro } = texts;
  return (
    <>
      <PageBanner text={hero.text} title={hero.title} />
      <section className="page page-section">
        {intro.map((paragraph) => (
          <p className="mb-10 max-w-[44rem] text-pretty text-lg leading-8" key={paragraph}>
            {paragraph}
          </p>
        ))}
        <h2 className="sr-only">{hero.title}</h2>
        <ServiceGrid path="/api/services" placeholders={6} texts={texts} />
      </section>
      <CallToAction />
    </>
  );
}
