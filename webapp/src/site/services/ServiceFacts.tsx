import { Link } from "wouter";
import type { Schemas } from "../../api/client";
import { useTexts } from "../../api/content";
import { fill } from "../../content/fill";
import { AskLink } from "../AskLink";
import { Fact } from "../Fact";
import { NextFree } from "../NextFree";

/** How long a visit is, what the service costs, who does it and when, as far as the clinic tells. */
export function ServiceFacts({ service }: { readonly service: Schemas["Service"] }) {
  const { facts, duration } = useTexts("services").detail;
  const { minutes, price, slug, team, visits } = service;
  return (
    <div className="border-sand-200 border-b bg-sand-50">
      <div className="page flex flex-wrap items-center justify-between gap-x-14 gap-y-5 py-6">
        <dl className="flex flex-wrap gap-x-14 gap-y-4 empty:hidden">
          {minutes && <Fact name={facts.minutes}>{fill(duration, { minutes })}</Fact>}
          {visits && <Fact name={facts.visits}>{visits}</Fact>}
          {price && (
            <Fact name={facts.price}>
              <span className="block first-letter:uppercase">{price.text}</span>
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
          <NextFree slug={slug} />
        </dl>
        <AskLink />
      </div>
    </div>
  );
}
