import type { Schemas } from "../../api/client";
import { useContent, useTexts } from "../../api/content";
import { fill } from "../../content/fill";
import { interfaceTexts } from "../../content/interface";
import { Skeleton } from "../../ui/Skeleton";
import { Html } from "../Html";
import { Notice } from "../Notice";
import { PageBanner } from "../PageBanner";
import { EraseForm } from "./EraseForm";

/** What becomes of personal data, and how to have a say in it. */
export default function PrivacyPage() {
  const texts = useTexts("privacy");
  const { data: notice, failed, load } = useContent("/api/privacy");
  const [title = ""] = texts.meta.title.split(" | ");
  return (
    <>
      <PageBanner text={notice?.description ?? ""} title={notice?.title ?? title} />
      <div className="page page-section">
        <div className="mx-auto max-w-[42rem]">
          {failed && <Notice failed onRetry={load} text={texts.failed} />}
          {!failed && !notice && <Placeholder />}
          {notice && <Text notice={notice} />}
        </div>
      </div>
    </>
  );
}

function Text({ notice }: { readonly notice: Schemas["Notice"] }) {
  const texts = useTexts("privacy");
  const { content, modelOperator, version } = notice;
  return (
    <>
      <Html content={content} />
      <section className="mt-11">
        <h2 className={heading}>{texts.model.heading}</h2>
        <p className="mt-5 text-pretty text-lg leading-8">
          {modelOperator
            ? fill(texts.model.operator, { operator: modelOperator })
            : texts.model.own}
        </p>
      </section>
      <EraseForm />
      <p className="mt-10 text-[0.9375rem] text-ink-600">{fill(texts.version, { version })}</p>
    </>
  );
}

const heading = "font-semibold text-2xl text-teal-900 leading-8 tracking-tight";

const lines = ["1", "2", "3", "4", "5", "6"] as const;

function Placeholder() {
  return (
    <div className="grid gap-4" data-testid="skeleton" role="status">
      <span className="sr-only">{interfaceTexts.loading}</span>
      {lines.map((line) => (
        <Skeleton className="h-6" key={line} />
      ))}
    </div>
  );
}
