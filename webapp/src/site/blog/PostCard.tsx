import { Link } from "wouter";
import type { Schemas } from "../../api/client";
import { useTexts } from "../../api/content";
import { formatPublished } from "../../content/dates";
import { fill } from "../../content/fill";
import { classes } from "../../ui/classes";
import { ArrowRightIcon } from "../../ui/icons";
import { ownPicture } from "../images";
import { Picture } from "../Picture";

/** The position in a row of three, times 0.1 s. */
const delays = ["delay-0", "delay-100", "delay-200"] as const;

interface PostCardProps {
  readonly post: Schemas["Post"];
  readonly position: number;
}

/** An article in the list of all. */
export function PostCard({ post, position }: PostCardProps) {
  const texts = useTexts("blog").listing;
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
            own={ownPicture(`posts/${slug}`)}
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
