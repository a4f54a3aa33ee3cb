import { Link, Redirect } from "wouter";
import type { Schemas } from "../../api/client";
import { useContent, useOutcome, useTexts } from "../../api/content";
import { formatPublished } from "../../content/dates";
import { interfaceTexts } from "../../content/interface";
import { ChevronLeftIcon, MailIcon } from "../../ui/icons";
import { Skeleton } from "../../ui/Skeleton";
import { BrandIcon } from "../BrandIcon";
import { CallToAction } from "../CallToAction";
import { Html } from "../Html";
import { ownPicture } from "../images";
import { PictureBand } from "../PictureBand";
import { shareLinks } from "./share";

/** One article. Whoever asks for one that cannot be had is taken to all of them. */
export default function ArticlePage({ slug }: { readonly slug: string }) {
  const { data: post, pending, failed } = useContent(`/api/blog/slug/${slug}`);
  if (pending) return <ArticleSkeleton />;
  if (failed) return <Redirect replace to="/blog" />;
  if (!post) return null;
  return <Article post={post} />;
}

function Article({ post }: { readonly post: Schemas["Post"] }) {
  const texts = useTexts("blog").article;
  return (
    <>
      <article>
        <ArticleHeader post={post} />
        <div className="page page-section">
          <div className="mx-auto max-w-[42rem]">
            <Html content={post.content} />
            <p className="mt-10 rounded-xl bg-sand-100 px-5 py-4 text-[0.9375rem]">
              {texts.disclaimer}
            </p>
            <Share post={post} />
            <Link
              className="mt-10 inline-flex min-h-11 items-center gap-1 rounded-lg font-semibold text-teal-700 hover:underline"
              href="/blog"
            >
              <ChevronLeftIcon className="size-4.5" />
              {texts.back}
            </Link>
          </div>
        </div>
      </article>
      <CallToAction />
    </>
  );
}

/** An article's title with its picture. */
function ArticleHeader({ post }: { readonly post: Schemas["Post"] }) {
  return (
    <header>
      <PictureBand
        className="min-h-64 py-12 md:min-h-100 md:py-16"
        imageUrl={post.imageUrl}
        own={ownPicture(`posts/${post.slug}`)}
      >
        <time className="font-medium text-lg" dateTime={post.publishedAt}>
          {formatPublished(post.publishedAt)}
        </time>
        <h1 className="mt-3 max-w-[24ch] text-balance font-semibold text-display">{post.title}</h1>
      </PictureBand>
    </header>
  );
}

/** Where the site is: the server says so, and in a browser it is where the page is from. */
function useOrigin(): string {
  const { data } = useOutcome("origin");
  return (typeof data === "string" && data) || globalThis.location?.origin || "";
}

function Share({ post: { title, excerpt, slug } }: { readonly post: Schemas["Post"] }) {
  const texts = useTexts("blog").article.share;
  const address = `${useOrigin()}/blog/${slug}`;
  return (
    <section className="mt-10 border-sand-200 border-t pt-8 print:hidden">
      <h2 className="font-semibold text-ink-900 text-xl tracking-tight">{texts.heading}</h2>
      <ul className="mt-4 flex gap-3">
        {shareLinks({ address, title, excerpt }, texts).map(({ network, label, href }) => (
          <li key={network}>
            <a
              className="grid size-12 place-items-center rounded-xl border border-sand-300 bg-white text-teal-700 hover:border-teal-400 hover:bg-teal-50"
              href={href}
              {...(network !== "email" && { target: "_blank", rel: "noopener noreferrer" })}
            >
              {network === "email" ? <MailIcon /> : <BrandIcon name={network} />}
              <span className="sr-only">
                {label}
                {network !== "email" && ` ${interfaceTexts.newTab}`}
              </span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

function ArticleSkeleton() {
  const texts = useTexts("blog").article;
  return (
    <div data-testid="article-skeleton" role="status">
      <h1 className="sr-only">{texts.loading}</h1>
      <Skeleton className="h-80 rounded-none sm:h-100" />
      <div className="page page-section">
        <div className="mx-auto grid max-w-[42rem] gap-4">
          <Skeleton className="h-6" />
          <Skeleton className="h-6" />
          <Skeleton className="h-6 w-4/5" />
          <Skeleton className="mt-6 h-8 w-1/2" />
          <Skeleton className="h-6" />
          <Skeleton className="h-6 w-3/5" />
        </div>
      </div>
    </div>
  );
}
