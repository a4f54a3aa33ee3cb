import { type FormEvent, useId } from "react";
import { Link } from "wouter";
import type { Schemas } from "../../api/client";
import { useContent } from "../../api/content";
import { blogTexts } from "../../content/blog";
import { formatPublished } from "../../content/dates";
import { fill } from "../../content/fill";
import { interfaceTexts } from "../../content/interface";
import { Button } from "../../ui/Button";
import { classes } from "../../ui/classes";
import { ArrowRightIcon, MailIcon, RefreshIcon, WarningIcon } from "../../ui/icons";
import { Skeleton } from "../../ui/Skeleton";
import { CallToAction } from "../CallToAction";
import { PageBanner } from "../PageBanner";
import { Picture } from "../Picture";

const texts = blogTexts.listing;
const placeholders = ["1", "2", "3", "4", "5", "6"] as const;

/** All articles. */
export function BlogPage() {
  return (
    <>
      <PageBanner text={texts.hero.text} title={texts.hero.title} />
      <section className="page py-16 sm:py-20">
        <h2 className="font-semibold text-teal-900 text-title">{texts.intro.heading}</h2>
        <p className="mt-4 max-w-[65ch] text-pretty text-ink-600 text-lg leading-8">
          {texts.intro.text}
        </p>
        <Articles />
      </section>
      <Newsletter />
      <CallToAction />
    </>
  );
}

const grid = "mt-12 grid gap-7 md:grid-cols-2 lg:grid-cols-3";

function Articles() {
  const { data: posts, failed, load } = useContent("/api/blog");
  if (failed) {
    return (
      <div className={classes(panel, "border-bad-200 bg-bad-50")} role="alert">
        <WarningIcon className="mx-auto size-11 text-bad-600" />
        <h3 className="mt-3 font-semibold text-2xl text-bad-700 tracking-tight">
          {texts.error.heading}
        </h3>
        <p className="mt-2">{texts.error.text}</p>
        <Button className="mt-5" variant="secondary" onClick={load}>
          <RefreshIcon />
          {interfaceTexts.retry}
        </Button>
      </div>
    );
  }
  if (!posts) return <Placeholders />;
  if (posts.length === 0) {
    return (
      <div className={classes(panel, "border-sand-200 bg-sand-50")}>
        <h3 className="font-semibold text-2xl text-teal-900 tracking-tight">
          {texts.empty.heading}
        </h3>
        <p className="mt-2">{texts.empty.text}</p>
      </div>
    );
  }
  return (
    <ul className={grid}>
      {posts.map((post, position) => (
        <PostCard key={post.id} position={position} post={post} />
      ))}
    </ul>
  );
}

const panel = "mt-12 rounded-card border px-6 py-14 text-center";

function Placeholders() {
  return (
    <>
      <p className="sr-only" role="status">
        {texts.loading}
      </p>
      <div aria-hidden="true" className={grid}>
        {placeholders.map((key) => (
          <div
            className="overflow-hidden rounded-card border border-sand-200 bg-white"
            data-testid="post-placeholder"
            key={key}
          >
            <Skeleton className="aspect-video w-full rounded-none" />
            <div className="grid gap-3 p-6">
              <Skeleton className="h-4 w-32" />
              <Skeleton className="h-6 w-4/5" />
              <Skeleton className="h-16" />
            </div>
          </div>
        ))}
      </div>
    </>
  );
}

/** The position in a row of three, times 0.1 s. */
const delays = ["delay-0", "delay-100", "delay-200"] as const;

interface PostCardProps {
  readonly post: Schemas["Post"];
  readonly position: number;
}

function PostCard({ post, position }: PostCardProps) {
  const { title, excerpt, slug, imageUrl, publishedAt } = post;
  return (
    <li
      className={classes(
        "duration-500 ease-out motion-safe:transition-opacity motion-safe:starting:opacity-0",
        delays[position % delays.length],
      )}
    >
      <article className="group relative flex h-full flex-col overflow-hidden rounded-card border border-sand-200 bg-white shadow-card">
        <div className="aspect-video bg-teal-100">
          <Picture
            sizes="(min-width: 1024px) 24rem, (min-width: 768px) 50vw, 100vw"
            sources={[imageUrl]}
          />
        </div>
        <div className="flex flex-1 flex-col p-6">
          <time className="text-[0.9375rem] text-clay-700" dateTime={publishedAt}>
            {formatPublished(publishedAt)}
          </time>
          <h3 className="mt-2 text-balance font-semibold text-ink-900 text-xl leading-7 tracking-tight">
            {title}
          </h3>
          <p className="mt-2 mb-5 text-pretty text-ink-600 leading-7">{excerpt}</p>
          <Link
            aria-label={fill(texts.readMoreAbout, { title })}
            className="mt-auto inline-flex items-center gap-1.5 self-start rounded font-semibold text-teal-700 after:absolute after:inset-0 after:rounded-card group-hover:underline"
            href={`/blog/${slug}`}
          >
            {texts.readMore}
            <ArrowRightIcon className="size-4.5" />
          </Link>
        </div>
      </article>
    </li>
  );
}

/** A box that triggers nothing: the clinic has no newsletter yet. */
function Newsletter() {
  const id = useId();
  const { heading, text, label, placeholder, submit, privacy } = texts.newsletter;
  const stay = (event: FormEvent) => event.preventDefault();
  return (
    <section aria-labelledby={`${id}-heading`} className="bg-sand-100">
      <div className="page py-14 sm:py-16">
        <div className="mx-auto max-w-2xl text-center">
          <MailIcon className="mx-auto size-10 text-teal-600" />
          <h2 className="mt-3 font-semibold text-teal-900 text-title" id={`${id}-heading`}>
            {heading}
          </h2>
          <p className="mt-3 text-lg leading-7">{text}</p>
          <form className="mx-auto mt-6 flex max-w-lg flex-col gap-3 sm:flex-row" onSubmit={stay}>
            <input
              aria-describedby={`${id}-privacy`}
              aria-label={label}
              autoComplete="email"
              className="min-h-13 flex-1 rounded-xl border border-ink-400 bg-white px-4 text-base text-ink-900 placeholder:text-ink-500 focus-visible:border-teal-600 focus-visible:outline-1 focus-visible:outline-offset-0"
              placeholder={placeholder}
              type="email"
            />
            <Button size="large">{submit}</Button>
          </form>
          <p className="mt-4 text-ink-600 text-sm" id={`${id}-privacy`}>
            {privacy}
          </p>
        </div>
      </div>
    </section>
  );
}
