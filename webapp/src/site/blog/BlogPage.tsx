import { useContent, useTexts } from "../../api/content";
import { interfaceTexts } from "../../content/interface";
import { Button } from "../../ui/Button";
import { classes } from "../../ui/classes";
import { RefreshIcon, WarningIcon } from "../../ui/icons";
import { Skeleton } from "../../ui/Skeleton";
import { CallToAction } from "../CallToAction";
import { PageBanner } from "../PageBanner";
import { Newsletter } from "./Newsletter";
import { PostCard } from "./PostCard";

const placeholders = ["1", "2", "3", "4", "5", "6"] as const;

/** All articles. */
export default function BlogPage() {
  const texts = useTexts("blog").listing;
  return (
    <>
      <PageBanner text={texts.hero.text} title={texts.hero.title} />
      <section className="page page-section">
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
  const texts = useTexts("blog").listing;
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
  const texts = useTexts("blog").listing;
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
