import type { ReactNode } from "react";
import { Link } from "wouter";
import type { Schemas } from "../../api/client";
import { useTexts } from "../../api/content";
import { fill } from "../../content/fill";

/** How long a visit is, what the service costs and who does it, as far as the clinic tells. */
export function ServiceFacts({ service }: { readonly service: Schemas["Service"] }) {
  const { facts, duration } = useTexts("services").detail;
  const { minutes, price, team } = service;
  if (!minutes && !price && !team) return null;
  return (
    <div className="border-sand-200 border-b bg-sand-50">
      <dl className="page flex flex-wrap gap-x-14 gap-y-4 py-6">
        {minutes && <Fact name={facts.minutes}>{fill(duration, { minutes })}</Fact>}
        {price && (
          <Fact name={facts.price}>
            <span className="block first-letter:uppercase">{price}</span>
          </Fact>
        )}
        {team && (
          <Fact name={facts.team}>
            {team.map(({ name, title, path }) => (
              <span className="block" key={name}>
                {path ? (
                  <Link className="text-teal-700 underline underline-offset-4" href={path}>
                    {name}
                  </Link>
                ) : (
                  name
                )}
                {`, ${title.toLowerCase()}`}
              </span>
            ))}
          </Fact>
        )}
      </dl>
    </div>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt className="text-ink-600 text-sm">{name}</dt>
      <dd className="mt-0.5 font-semibold text-ink-900 leading-7">{children}</dd>
    </div>
  );
}
