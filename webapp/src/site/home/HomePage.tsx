import { CallToAction } from "../CallToAction";
import { BlogTeaser } from "./BlogTeaser";
import { Carousel } from "./Carousel";
import { FeaturedServices } from "./FeaturedServices";
import { FirstVisit } from "./FirstVisit";
import { Testimonials } from "./Testimonials";
import { Values } from "./Values";
import { Visit } from "./Visit";
import { Welcome } from "./Welcome";

/** The clinic at a glance. */
export default function HomePage() {
  return (
    <>
      <Carousel />
      <Welcome />
      <FeaturedServices />
      <Values />
      <FirstVisit />
      <Testimonials />
      <BlogTeaser />
      <Visit />
      <CallToAction />
    </>
  );
}
