import { useId } from "react";
import { Link } from "wouter";
import type { Schemas } from "../../api/client";
import { useContent, useOutcome, useTexts } from "../../api/content";
import { formatPublished } from "../../content/dates";
import { fill } from "../../content/fill";
import { LinkButton } from "../../ui/Button";
import { classes } from "../../ui/classes";
import { ArrowRightIcon } from "../../ui/icons";
import { CardSkeletons } from "../CardSkeletons";
import { fillsRow } from "../columns";
import { ownPicture } from "../images";
import { Notice } from "../Notice";
import { Picture } from "../Picture";
import { SectionHeading } from "../SectionHeading";
import { SwipeRow } from "../SwipeRow";
import { cutTitle } from "./cutTitle";

const shown = 3;

/** The posts that the page came with, or else those of the call for all. */
function useLatest() {
  const { data: given } = useOutcome("latest");
  const call = useContent("/api/blog", !given);
  return { ...call, data: call.data ?? (given as Schemas["Post"][] | undefined) };
}

/** The latest posts of the blog; nothing where there are none. */
export function BlogTeaser() {
  const { heading, intro, all } = useTexts("home").blog;
  const { data } = useLatest();
  if (data?.length === 0) return null;
  return (
    <section className="bg-sand-50">
      <div className="page page-section">
        <SectionHeading className="mb-10" heading={heading} intro={intro} />
        <Posts />
        <LinkButton className="mt-10" href="/blog" variant="secondary" size="large">
          {all}
          <ArrowRightIcon />
        </LinkButton>
      </div>
    </section>
  );
}

function Posts() {
  const { heading, loading, error } = useTexts("home").blog;
  const { data, failed, load } = useLatest();
  if (failed) return <Notice failed onRetry={load} text={error} />;
  if (!data) return <CardSkeletons count={shown} label={loading} />;
  return (
    <SwipeRow label={heading}>
      {data.slice(0, shown).map((post) => (
        <PostCard key={post.id} post={post} />
      ))}
    </SwipeRow>
  );
}

/** A post; its link names the title cut short, and is described by the whole of it. */
function PostCard({ post }: { readonly post: Schemas["Post"] }) {
  const { readMore } = useTexts("home").blog;
  const { title, excerpt, slug, imageUrl, publishedAt } = post;
  const id = useId();
  return (
    <li className={classes("@container", fillsRow)}>
      <article className="group relative flex h-full flex-col @2xl:flex-row overflow-hidden rounded-card border border-sand-200 bg-white shadow-card transition-shadow hover:shadow-float">
        <div className="aspect-video overflow-hidden bg-teal-100 @2xl:w-1/2">
          <Picture
            own={ownPicture(`posts/${slug}`)}
            sizes="(min-width: 1024px) 24rem, 50vw"
            sources={[imageUrl]}
          />
        </div>
        <div className="flex flex-1 flex-col p-6">
          <time className="text-ink-500 text-sm" dateTime={publishedAt}>
            {formatPublished(publishedAt)}
          </time>
          <h3
            className="mt-2 text-balance font-semibold text-ink-900 text-xl leading-7 tracking-tight"
            id={id}
          >
            {title}
          </h3>
          <p className="mt-3 mb-5 flex-1 text-ink-600 leading-7">{excerpt}</p>
          <Link
            aria-describedby={id}
            className="inline-flex min-h-8 items-center gap-2 self-start rounded font-semibold text-[0.9375rem] text-teal-700 underline-offset-4 after:absolute after:inset-0 group-hover:underline"
            href={`/blog/${slug}`}
          >
            {fill(readMore, { title: cutTitle(title) })}
            <ArrowRightIcon className="size-4.5 shrink-0" />
          </Link>
        </div>
      </article>
    </li>
  );
}
