import { useEffect, useState } from "react";
import { useTexts } from "../../api/content";
import { clinic } from "../../content/clinic";
import { interfaceTexts } from "../../content/interface";
import { Button } from "../../ui/Button";
import { PinIcon } from "../../ui/icons";

/** How long the map service may take before the page says that there is no map, in milliseconds. */
const patience = 15_000;

type Stage = "drawn" | "loading" | "shown" | "missing";

/**
 * The way to the clinic. A drawing replaces the map until the visitor asks for
 * the map, and stays when there is none: nobody else's server is asked before that.
 */
export function MapPanel() {
  const texts = useTexts("contact").map;
  const [stage, setStage] = useState<Stage>("drawn");
  const framed = stage === "loading" || stage === "shown";

  useEffect(() => {
    if (stage !== "loading") return;
    const giveUp = () => setStage("missing");
    const onRefused = ({ effectiveDirective }: SecurityPolicyViolationEvent) => {
      if (effectiveDirective === "frame-src") giveUp();
    };
    const timer = setTimeout(giveUp, patience);
    document.addEventListener("securitypolicyviolation", onRefused);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("securitypolicyviolation", onRefused);
    };
  }, [stage]);

  return (
    <section className="relative isolate">
      <div className="relative h-72 overflow-hidden bg-teal-50 sm:h-[30rem] print:hidden">
        {/* A part of the city without names: blocks, streets, a bay, and where the clinic is. */}
        <img alt="" className="h-full w-full object-cover" loading="lazy" src="/img/map.svg" />
        {framed && (
          <iframe
            allow="fullscreen"
            className="absolute inset-0 h-full w-full border-0"
            loading="lazy"
            onLoad={() => setStage("shown")}
            referrerPolicy="no-referrer"
            src={clinic.links.map}
            title={texts.title}
          />
        )}
      </div>
      <div className="page pointer-events-none sm:absolute sm:inset-x-0 sm:top-0 print:static">
        <div className="pointer-events-auto my-6 max-w-sm rounded-card border border-sand-200 bg-white p-6 shadow-float sm:mt-10">
          <h2 className="flex items-center gap-2.5 font-semibold text-2xl text-teal-900 tracking-tight">
            <PinIcon className="size-6 text-clay-500" />
            {texts.heading}
          </h2>
          <p className="mt-2 leading-7">{texts.text}</p>
          <Offer onLoad={() => setStage("loading")} stage={stage} />
        </div>
      </div>
    </section>
  );
}

function Offer({ stage, onLoad }: { readonly stage: Stage; readonly onLoad: () => void }) {
  const texts = useTexts("contact").map;
  return (
    <>
      {clinic.links.map && stage === "drawn" && (
        <>
          <Button className="mt-4" onClick={onLoad} variant="secondary">
            {texts.load}
          </Button>
          <p className="mt-3 text-ink-500 text-sm leading-5">{texts.notice}</p>
        </>
      )}
      <p className="mt-2 text-[0.9375rem]" role="status">
        {stage === "loading" && interfaceTexts.loading}
        {stage === "missing" && texts.unavailable}
      </p>
      <a
        className="inline-flex min-h-8 items-center rounded font-semibold text-[0.9375rem] text-teal-700 underline-offset-4 hover:underline"
        href={clinic.links.mapPage}
        rel="noopener noreferrer"
        target="_blank"
      >
        {texts.open}
        <span className="sr-only"> {interfaceTexts.newTab}</span>
      </a>
    </>
  );
}
